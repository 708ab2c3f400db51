// POST /signup: a new account from an email and a password.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { json } from '#/host/lib/http.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import { countMail, mailLink, readReturn, type Return } from '#/host/auth/auth-mails.ts';
import { metadata, readJson, security, text } from '#/host/auth/body.ts';
import { checkCaptcha } from '#/host/auth/captcha.ts';
import type { Auth, Handler } from '#/host/auth/context.ts';
import { challengeEntries } from '#/host/auth/flow-state.ts';
import { countAttempt, perAddress } from '#/host/auth/limits.ts';
import { startSession } from '#/host/auth/sessions.ts';
import {
  checkAllowed,
  createEmailUser,
  findUserByEmail,
  isBanned,
  normalEmail,
  userJson,
  type Metadata,
  type User,
} from '#/host/auth/users.ts';

const signupBody = v.object({
  email: text(),
  phone: text(),
  password: text(10_000),
  data: metadata,
  gotrue_meta_security: security,
  ...challengeEntries,
});

/**
 * The answer for a taken email: an invented user. As in GoTrue it has no identities when the email is
 * confirmed; before that it looks as after a first signup, down to the order in which PostgreSQL keeps members.
 */
async function pretendedUser(
  auth: Auth,
  email: string,
  data: Metadata,
  confirmed: boolean,
): Promise<Metadata> {
  const id = randomUUID();
  const now = new Date().toISOString();
  const times = { created_at: now, updated_at: now };
  const claims = { sub: id, email, email_verified: false, phone_verified: false };
  const { rows } = await auth.database.pool.query<{ stored: Metadata }>(
    'select $1::jsonb as stored',
    [{ ...data, ...claims }],
  );
  const identity = {
    identity_id: randomUUID(),
    id,
    user_id: id,
    identity_data: claims,
    provider: 'email',
    last_sign_in_at: now,
    ...times,
    email,
  };
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: rows[0]?.stored,
    identities: confirmed ? [] : [identity],
    ...times,
    is_anonymous: false,
  };
}

/** POST /signup: a session, or a mail where emails are confirmed. */
export const signup: Handler = async (auth, call) => {
  const body = await readJson(call.request, signupBody);
  if (!auth.settings.AUTH_SIGNUP)
    throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');
  if (body.phone !== '')
    throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled');
  if (body.email === '')
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  if (body.password === '')
    throw new AuthError(400, 'validation_failed', 'Signup requires a valid password');
  const email = normalEmail(body.email);
  auth.passwords.check(body.password);
  checkAllowed(auth, email);
  const back = readReturn(auth, call, body);
  await checkCaptcha(auth, body.gotrue_meta_security);
  await countAttempt(auth, [perAddress(auth, call, 'signup')]);
  if (auth.confirmEmail) await countMail(auth, call, email);
  // Hashed before the email is looked up, so that both cases take the same time.
  const passwordHash = await auth.passwords.hash(body.password);

  const data = body.data ?? {};
  const { pool } = auth.database;
  const made = await createEmailUser(pool, {
    email,
    passwordHash,
    data,
    confirmed: !auth.confirmEmail,
  });
  if (made && !auth.confirmEmail) return json(await startSession(auth, pool, made, 'password'));
  if (!auth.confirmEmail)
    throw new AuthError(422, 'user_already_exists', 'User already registered');

  if (made) {
    await mailLink(auth, made, 'confirmation', back);
    return json({ ...userJson(made), confirmation_sent_at: new Date().toISOString() });
  }
  const user = await findUserByEmail(pool, email);
  if (!user || user.email_confirmed_at !== null || isBanned(user))
    return json(await pretendedUser(auth, email, data, true));
  // After the answer: comparing the passwords takes time, which an attacker could measure.
  auth.background(() => signUpAgain(auth, user, { password: body.password, passwordHash }, back));
  return json(await pretendedUser(auth, email, data, false));
};

/**
 * A second signup before the email was confirmed changes nothing of the account. With another password, neither of the
 * two is valid until the browser that sent one comes back from the mail, which proves the owner.
 */
async function signUpAgain(
  auth: Auth,
  user: User,
  typed: { password: string; passwordHash: string },
  back: Return,
): Promise<void> {
  const { right } = await auth.passwords.verify(typed.password, user.encrypted_password);
  if (right) return mailLink(auth, user, 'confirmation', back);
  await auth.database.pool.query(
    'update auth.users set encrypted_password = null, updated_at = now() where id = $1 and email_confirmed_at is null',
    [user.id],
  );
  return mailLink(auth, user, 'confirmation', { ...back, passwordHash: typed.passwordHash });
}
