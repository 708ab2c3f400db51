// GET and PUT /user, the caller's account; and /reauthenticate, which is required before credentials can be changed.
import * as v from 'valibot';
import { inTransaction } from '#/host/db/transaction.ts';
import { json } from '#/host/lib/http.ts';
import { AuthError, rejectPhone } from '#/host/auth/auth-error.ts';
import { recordChange } from '#/host/auth/account-changes.ts';
import {
  countMail,
  mailEmailChange,
  mailReauthentication,
  readReturn,
} from '#/host/auth/auth-mails.ts';
import {
  lacksSecondFactor,
  requireRecentLogin,
  requireSession,
  requireUser,
} from '#/host/auth/authenticate.ts';
import { metadata, readJson, text } from '#/host/auth/body.ts';
import type { Auth, Call, Handler } from '#/host/auth/context.ts';
import { challengeEntries } from '#/host/auth/flow-state.ts';
import { takeOneTimeToken } from '#/host/auth/one-time-tokens.ts';
import { networkOf, rememberNetwork, sharedSubject } from '#/host/auth/known-networks.ts';
import { countAttempt, limitOf, perIp } from '#/host/auth/auth-limits.ts';
import { confirmSession, endSessions, type Session } from '#/host/auth/sessions.ts';
import { checkAllowed, emailExists, normalEmail } from '#/host/auth/emails.ts';
import { endPending } from '#/host/auth/credentials.ts';
import { userJson } from '#/host/auth/user-json.ts';
import { findUserByEmail, removedKeys, reread, type User } from '#/host/auth/users.ts';

export const getUser: Handler = async (auth, call) => {
  const { user } = await requireUser(auth, call);
  return json(userJson(user));
};

const updateBody = v.object({
  email: text(),
  phone: text(),
  password: v.nullish(v.string()),
  nonce: text(),
  data: metadata,
  ...challengeEntries,
});

async function newPasswordHash(
  auth: Auth,
  call: Call,
  user: User,
  session: Session | null,
  password: string,
  nonce: string,
): Promise<string> {
  auth.passwords.check(password);
  if (nonce === '') requireRecentLogin(session);
  else {
    const given = { email: user.email ?? '', code: nonce, network: networkOf(auth, call) };
    await countAttempt(auth, [limitOf('code', await sharedSubject(auth, call, given.email))]);
    await takeOneTimeToken(auth, auth.database.pool, ['reauthentication_token'], given).catch(
      () => {
        throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
      },
    );
  }
  const { right } = await auth.passwords.verify(password, user.encrypted_password);
  if (right)
    throw new AuthError(
      422,
      'same_password',
      'New password should be different from the old password.',
    );
  return auth.passwords.hash(password);
}

/** GET /reauthenticate: mails the code that a change of password requires. */
export const reauthenticate: Handler = async (auth, call) => {
  const { user } = await requireUser(auth, call);
  const email = user.email ?? '';
  if (user.email_confirmed_at === null)
    throw new AuthError(422, 'email_not_confirmed', 'Please verify your email first.');
  const back = readReturn(auth, call);
  await countMail(auth, call, email);
  await mailReauthentication(auth, user, back);
  return json({});
};

/** POST /reauthenticate: checks the password, which counts as a recent login. */
export const confirmPassword: Handler = async (auth, call) => {
  const { user, session } = await requireSession(auth, call);
  const { password } = await readJson(call.request, v.object({ password: text(10_000) }));
  await countAttempt(auth, [perIp(auth, call, 'password'), limitOf('passwordAgain', session.id)]);
  const { right } = await auth.passwords.verify(password, user.encrypted_password);
  if (!right) throw new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
  await confirmSession(auth.database.pool, session, 'password');
  return json({});
};

/** PUT /user: changes the password, the metadata, or the email, which takes effect after it is confirmed. */
export const updateUser: Handler = async (auth, call) => {
  const { user, session } = await requireUser(auth, call);
  const body = await readJson(call.request, updateBody);
  const data = body.data ?? {};
  rejectPhone(body.phone);
  const email = body.email === '' ? user.email : normalEmail(body.email);
  const changesPassword = typeof body.password === 'string' && body.password !== '';
  const changesEmail = email !== user.email && email !== null;
  if (lacksSecondFactor(user, session))
    throw new AuthError(
      401,
      'insufficient_aal',
      'AAL2 session is required to update the account when MFA is enabled.',
    );
  const back = readReturn(auth, call, body);
  const { pool } = auth.database;
  if (changesEmail) {
    requireRecentLogin(session);
    checkAllowed(auth, email);
    await countMail(auth, call, email);
    if (await findUserByEmail(pool, email)) throw emailExists();
  }
  const passwordHash = changesPassword
    ? await newPasswordHash(auth, call, user, session, body.password ?? '', body.nonce)
    : null;

  await inTransaction(pool, async (db) => {
    // Pending email changes end first, because this request may start a new one.
    if (passwordHash !== null) await endPending(db, user.id);
    await db.query(
      `update auth.users set updated_at = now(),
         encrypted_password = coalesce($2, encrypted_password),
         raw_user_meta_data = (raw_user_meta_data || $3) - $4::text[],
         email_change = case when $5::text is null then email_change else $5 end where id = $1`,
      [user.id, passwordHash, data, removedKeys(data), changesEmail ? email : null],
    );
    // All other sessions end, because they may belong to an attacker who knew the old password.
    if (passwordHash !== null) {
      await endSessions(db, user.id, 'others', session?.id ?? null);
      await rememberNetwork(auth, call, db, user.id);
      await recordChange(auth, db, user);
    }
    if (changesEmail) await mailEmailChange(auth, { ...user, email_change: email }, back, db);
  });
  return json(userJson(await reread(pool, user)));
};
