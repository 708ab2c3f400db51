// POST /signup: creates an account with an email and a password.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { json } from '#/host/lib/http.ts';
import { AuthError, invalid } from '#/host/auth/auth-error.ts';
import { countMail, mailLink, readReturn, type Return } from '#/host/auth/auth-mails.ts';
import { metadata, readJson, security, text } from '#/host/auth/body.ts';
import { checkCaptcha } from '#/host/auth/captcha.ts';
import type { Auth, Handler, Queryable } from '#/host/auth/context.ts';
import { challengeEntries } from '#/host/auth/flow-state.ts';
import { countAttempt, perIp } from '#/host/auth/auth-limits.ts';
import { startSession } from '#/host/auth/sessions.ts';
import { checkAllowed, normalEmail } from '#/host/auth/emails.ts';
import { createEmailUser, dryRunCreateEmailUser } from '#/host/auth/new-users.ts';
import { userJson } from '#/host/auth/user-json.ts';
import { findUserByEmail, isBanned, type Metadata, type User } from '#/host/auth/users.ts';

const signupBody = v.object({
  email: text(),
  phone: text(),
  password: text(10_000),
  data: metadata,
  gotrue_meta_security: security,
  ...challengeEntries,
});

/**
 * Returns the response for a taken email, which must look like that of a new account. For this, it creates an account with a random
 * email and rolls it back. As in GoTrue, the identities are empty if the existing email is confirmed.
 */
async function pretend(
  auth: Auth,
  wanted: Parameters<typeof dryRunCreateEmailUser>[1],
  sendMail: (db: Queryable, made: User) => Promise<void>,
  confirmed: boolean,
): Promise<Metadata> {
  const invented = `${randomUUID()}@example.invalid`;
  const made = await dryRunCreateEmailUser(
    auth.database.pool,
    { ...wanted, email: invented },
    sendMail,
  );
  if (!made) throw new Error('An invented email is taken');
  const result = JSON.stringify(unconfirmedUser(confirmed ? { ...made, identities: [] } : made));
  return JSON.parse(result.replaceAll(invented, () => wanted.email)) as Metadata;
}

/** Returns GoTrue's JSON of an account whose confirmation mail was just requested. */
const unconfirmedUser = (user: User): Metadata => ({
  ...userJson(user),
  confirmation_sent_at: new Date().toISOString(),
});

/** POST /signup: returns a session, or sends a mail if emails must be confirmed. */
export const signup: Handler = async (auth, call) => {
  const body = await readJson(call.request, signupBody);
  if (!auth.settings.AUTH_SIGNUP)
    throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');
  if (body.phone !== '')
    throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled');
  if (body.email === '')
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  if (body.password === '') throw invalid('Signup requires a valid password');
  const email = normalEmail(body.email);
  auth.passwords.check(body.password);
  checkAllowed(auth, email);
  const back = readReturn(auth, call, body);
  await checkCaptcha(auth, body.gotrue_meta_security);
  await countAttempt(auth, [perIp(auth, call, 'signup')]);
  if (auth.confirmEmail) await countMail(auth, call, email);
  // The password is hashed before the email is looked up, so that both cases take the same time.
  const passwordHash = await auth.passwords.hash(body.password);

  const data = body.data ?? {};
  const { pool } = auth.database;
  const wanted = { email, passwordHash, data, confirmed: !auth.confirmEmail };
  if (!auth.confirmEmail) {
    const made = await createEmailUser(pool, wanted);
    if (!made) throw new AuthError(422, 'user_already_exists', 'User already registered');
    return json(await startSession(auth, pool, made, 'password', call));
  }

  const mailIt = (db: Queryable, made: User) => mailLink(auth, made, 'confirmation', back, { db });
  const taken = await findUserByEmail(pool, email);
  const made = taken ? null : await createEmailUser(pool, wanted, mailIt);
  if (made) return json(unconfirmedUser(made));
  // The insert returns null if a concurrent signup created the account.
  const user = taken ?? (await findUserByEmail(pool, email));
  const confirmed = !user || user.email_confirmed_at !== null || isBanned(user);
  const result = await pretend(auth, wanted, mailIt, confirmed);
  // The comparison of passwords runs after the response, because attackers could measure its time.
  if (!confirmed)
    auth.background(() => signUpAgain(auth, user, { password: body.password, passwordHash }, back));
  return json(result);
};

/**
 * Handles another signup before the email was confirmed, without changing the account. If the passwords differ, neither takes
 * effect until one of the two browsers opens its mailed link, which only the owner of the email can do.
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
