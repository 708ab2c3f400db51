// POST /otp, /recover and /resend, GET /reauthenticate: asking for a mail.
// They answer before they look up the account, so that neither the answer nor its time reveals whether the email has one.
import * as v from 'valibot';
import { json } from '#/host/lib/http.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import {
  countMail,
  mailLink,
  mailReauthentication,
  readReturn,
  type Return,
} from '#/host/auth/auth-mails.ts';
import { requireUser } from '#/host/auth/authenticate.ts';
import { metadata, readJson, security, text } from '#/host/auth/body.ts';
import { checkCaptcha } from '#/host/auth/captcha.ts';
import type { Auth, Call, Handler } from '#/host/auth/context.ts';
import { challengeEntries } from '#/host/auth/flow-state.ts';
import {
  checkAllowed,
  createEmailUser,
  findUserByEmail,
  isBanned,
  normalEmail,
} from '#/host/auth/users.ts';

/** What every request for a mail has. */
const mailEntries = { email: text(), gotrue_meta_security: security, ...challengeEntries };
const mailBody = v.object(mailEntries);

/**
 * The checks of every request for a mail, made before the account is looked up.
 * @throws AuthError 400 for what was sent, 429 for too many
 */
async function admit(
  auth: Auth,
  call: Call,
  body: v.InferOutput<typeof mailBody>,
): Promise<{ email: string; back: Return }> {
  const email = normalEmail(body.email);
  const back = readReturn(auth, call, body);
  await checkCaptcha(auth, body.gotrue_meta_security);
  await countMail(auth, call, email);
  return { email, back };
}

const noPhone = (phone: string) => {
  if (phone !== '')
    throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');
};

const otpBody = v.object({
  ...mailEntries,
  phone: text(),
  create_user: v.nullish(v.boolean(), true),
  data: metadata,
});

/** POST /otp: mails a link and a code to log in with. */
export const otp: Handler = async (auth, call) => {
  const body = await readJson(call.request, otpBody);
  noPhone(body.phone);
  checkAllowed(auth, normalEmail(body.email));
  const { email, back } = await admit(auth, call, body);
  auth.background(async () => {
    const user =
      (await findUserByEmail(auth.database.pool, email)) ??
      (body.create_user && auth.settings.AUTH_SIGNUP
        ? await createEmailUser(auth.database.pool, {
            email,
            passwordHash: null,
            data: body.data,
            confirmed: false,
          })
        : null);
    if (!user || isBanned(user)) return;
    const known = user.email_confirmed_at !== null || !auth.confirmEmail;
    await mailLink(auth, user, known ? 'magic_link' : 'confirmation', back);
  });
  return json({});
};

/** POST /recover */
export const recover: Handler = async (auth, call) => {
  const body = await readJson(call.request, mailBody);
  if (body.email === '')
    throw new AuthError(400, 'validation_failed', 'Password recovery requires an email');
  const { email, back } = await admit(auth, call, body);
  auth.background(async () => {
    const user = await findUserByEmail(auth.database.pool, email);
    if (user && !isBanned(user)) await mailLink(auth, user, 'recovery', back);
  });
  return json({});
};

const resendBody = v.object({
  ...mailEntries,
  type: v.picklist(['signup', 'email_change', 'sms', 'phone_change']),
  phone: text(),
});

/** POST /resend: the mail of a signup or of a changed email once more. */
export const resend: Handler = async (auth, call) => {
  const body = await readJson(call.request, resendBody);
  noPhone(body.phone);
  if (body.type !== 'signup' && body.type !== 'email_change')
    throw new AuthError(400, 'validation_failed', 'Type provided requires a phone number');
  const { email, back } = await admit(auth, call, body);
  auth.background(async () => {
    const user = await findUserByEmail(auth.database.pool, email);
    if (!user || isBanned(user)) return;
    if (body.type === 'email_change') {
      if (user.email_change) await mailEmailChange(auth, user, back);
    } else if (user.email_confirmed_at === null) await mailLink(auth, user, 'confirmation', back);
  });
  return json({});
};

/** Mails the new address, and where emails are confirmed the current one too: both must agree. */
export async function mailEmailChange(
  auth: Auth,
  user: NonNullable<Awaited<ReturnType<typeof findUserByEmail>>>,
  back: ReturnType<typeof readReturn>,
): Promise<void> {
  // The current one first: there is no moment in which the new one alone would do.
  if (auth.confirmEmail && user.email !== null)
    await mailLink(auth, user, 'email_change', back, user.email, 'email_change_token_current');
  await mailLink(auth, user, 'email_change', back, user.email_change ?? '');
}

/** GET /reauthenticate: mails a code that a new password asks for. */
export const reauthenticate: Handler = async (auth, call) => {
  const { user } = await requireUser(auth, call);
  const email = user.email ?? '';
  if (user.email_confirmed_at === null)
    throw new AuthError(422, 'email_not_confirmed', 'Please verify your email first.');
  const back = readReturn(auth, call);
  await countMail(auth, call, email);
  auth.background(() => mailReauthentication(auth, user, back));
  return json({});
};
