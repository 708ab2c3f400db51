// POST /otp, /recover and /resend, which request a mail. They store the request, respond, and look up the account later. So neither
// the response nor its time reveals whether the email has an account, and a crash does not lose the request.
import * as v from 'valibot';
import { json } from '#/host/lib/http.ts';
import { invalidDataError, invalid, rejectPhone } from '#/host/auth/auth-error.ts';
import {
  countMail,
  mailEmailChange,
  mailLink,
  MAIL_REQUEST_JOB,
  readReturn,
  type Return,
} from '#/host/auth/auth-mails.ts';
import { metadata, readJson, security, text } from '#/host/auth/body.ts';
import { checkCaptcha } from '#/host/auth/captcha.ts';
import type { Auth, Call, Handler, Queryable } from '#/host/auth/context.ts';
import { challengeEntries } from '#/host/auth/flow-state.ts';
import { checkAllowed, normalEmail } from '#/host/auth/emails.ts';
import { createEmailUser } from '#/host/auth/new-users.ts';
import { findUserByEmail, isBanned, type Metadata, type User } from '#/host/auth/users.ts';
import type { Job } from '#/host/jobs/job-queue.ts';

/** Mail requests expire after this number of seconds. */
const REQUEST_LIFETIME = 3600;

interface MailRequest {
  wanted: 'login' | 'recovery' | 'signup' | 'email_change';
  email: string;
  back: Return;
  create?: { data: Metadata } | null;
}

/** Members that every mail request may contain. */
const mailEntries = { email: text(), gotrue_meta_security: security, ...challengeEntries };
const mailBody = v.object(mailEntries);

/**
 * Validates a mail request and applies the rate limits, before the account is looked up.
 * @throws AuthError 400 for invalid data, 429 for too many requests
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

/** Stores the mail request, which takes the same time for every email. */
async function requestMail(auth: Auth, request: MailRequest): Promise<Response> {
  const { wanted, email } = request;
  await auth.jobs.add(MAIL_REQUEST_JOB, {
    key: `${wanted} ${email} ${request.back.network}`,
    payload: request,
    lifetime: REQUEST_LIFETIME,
  });
  return json({});
}

/** Queues the mail of a login, whose link also confirms an unconfirmed email. */
function loginMail(auth: Auth, user: User, back: Return, db?: Queryable): Promise<void> {
  const known = user.email_confirmed_at !== null || !auth.confirmEmail;
  return mailLink(auth, user, known ? 'magic_link' : 'confirmation', back, { db });
}

/**
 * Queues the requested mails if the email has an account in the required state.
 * @returns true if there is such an account
 */
async function queueRequested(
  auth: Auth,
  { wanted, email, back, create }: MailRequest,
): Promise<boolean> {
  const { pool } = auth.database;
  const user = await findUserByEmail(pool, email);
  if (!user) {
    if (!create) return false;
    const account = { email, passwordHash: null, data: create.data, confirmed: false };
    const made = await createEmailUser(pool, account, (db, one) => loginMail(auth, one, back, db));
    return made !== null;
  }
  if (isBanned(user)) return false;
  if (wanted === 'login') await loginMail(auth, user, back);
  else if (wanted === 'recovery') await mailLink(auth, user, 'recovery', back);
  else if (wanted === 'signup' && user.email_confirmed_at === null)
    await mailLink(auth, user, 'confirmation', back);
  else if (wanted === 'email_change' && user.email_change) await mailEmailChange(auth, user, back);
  else return false;
  return true;
}

/**
 * Processes one stored mail request.
 * @throws JobError if no mail can be sent. It is thrown with or without an account, because a failed job must not reveal an
 * account.
 */
export async function handleMailRequest(auth: Auth, { payload }: Job): Promise<void> {
  const queued = await queueRequested(auth, payload as MailRequest).catch((error: unknown) => {
    // A job whose data for the new account is invalid is not retried, because it would be rejected again.
    if (!invalidDataError(error)) throw error;
    return false;
  });
  if (!queued) await auth.mailer.check();
}

const otpBody = v.object({
  ...mailEntries,
  phone: text(),
  create_user: v.nullish(v.boolean(), true),
  data: metadata,
});

/** POST /otp: mails a link and a code for a login. */
export const otp: Handler = async (auth, call) => {
  const body = await readJson(call.request, otpBody);
  rejectPhone(body.phone);
  checkAllowed(auth, normalEmail(body.email));
  const { email, back } = await admit(auth, call, body);
  const create = body.create_user && auth.settings.AUTH_SIGNUP ? { data: body.data ?? {} } : null;
  return requestMail(auth, { wanted: 'login', email, back, create });
};

export const recover: Handler = async (auth, call) => {
  const body = await readJson(call.request, mailBody);
  if (body.email === '') throw invalid('Password recovery requires an email');
  const { email, back } = await admit(auth, call, body);
  return requestMail(auth, { wanted: 'recovery', email, back });
};

const resendBody = v.object({
  ...mailEntries,
  type: v.picklist(['signup', 'email_change', 'sms', 'phone_change']),
  phone: text(),
});

/** POST /resend: sends the mail of a signup or of a change of email again. */
export const resend: Handler = async (auth, call) => {
  const body = await readJson(call.request, resendBody);
  rejectPhone(body.phone);
  if (body.type !== 'signup' && body.type !== 'email_change')
    throw invalid('Type provided requires a phone number');
  const { email, back } = await admit(auth, call, body);
  return requestMail(auth, { wanted: body.type, email, back });
};
