// POST /token with all grants that return a session, and POST /logout.
import * as v from 'valibot';
import { inTransaction } from '#/host/db/transaction.ts';
import { json } from '#/host/lib/http.ts';
import { AuthError, invalid } from '#/host/auth/auth-error.ts';
import { lacksSecondFactor, requireUser } from '#/host/auth/authenticate.ts';
import { readJson, security, text } from '#/host/auth/body.ts';
import { checkCaptcha } from '#/host/auth/captcha.ts';
import type { Auth, Call, Handler } from '#/host/auth/context.ts';
import { takeFlow } from '#/host/auth/flow-state.ts';
import { sharedSubject } from '#/host/auth/known-networks.ts';
import { countAttempt, limitOf, perIp } from '#/host/auth/auth-limits.ts';
import { idTokenGrant } from '#/host/auth/oauth-routes.ts';
import { decrypt } from '#/host/auth/encryption.ts';
import { endSessions, refreshSession, startSession } from '#/host/auth/sessions.ts';
import { foldEmail } from '#/host/auth/emails.ts';
import { findUserById, isBanned } from '#/host/auth/users.ts';

const wrong = () => new AuthError(400, 'invalid_credentials', 'Invalid login credentials');

const passwordBody = v.object({
  email: text(),
  phone: text(),
  password: text(10_000),
  gotrue_meta_security: security,
});

async function passwordGrant(auth: Auth, call: Call): Promise<Response> {
  const body = await readJson(call.request, passwordBody);
  if (body.phone !== '')
    throw new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled');
  if (body.email === '') throw invalid('missing email or phone');
  const email = foldEmail(body.email);
  const here = perIp(auth, call, 'password');
  // Attempts are counted per account and IP, so that an attacker cannot lock out the owner. The limit per account stops attackers
  // with many IPs.
  const perAccount = [
    limitOf('passwordOfAccountFromIp', `${email} ${here.subject}`),
    limitOf('passwordOfAccount', await sharedSubject(auth, call, email)),
  ];
  await checkCaptcha(auth, body.gotrue_meta_security);
  await countAttempt(auth, [here, ...perAccount]);

  const { pool } = auth.database;
  // Only the ID and the hash are read before the comparison, so that a known email takes as long as an unknown one.
  const { rows } = await pool.query<{ id: string; encrypted_password: string | null }>(
    'select id, encrypted_password from auth.users where lower(email collate "C") = $1',
    [email],
  );
  const { right, outdated } = await auth.passwords.verify(
    body.password,
    rows[0]?.encrypted_password ?? null,
  );
  const user = right && rows[0] ? await findUserById(pool, rows[0].id) : null;
  // From here on the caller has proven to know the password, so errors may reveal the account's state.
  if (!user) throw wrong();
  await auth.attemptCounter.reset(perAccount);
  if (isBanned(user)) throw new AuthError(400, 'user_banned', 'User is banned');
  if (user.email_confirmed_at === null)
    throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
  if (outdated)
    await pool.query(
      'update auth.users set encrypted_password = $2 where id = $1 and encrypted_password = $3',
      [user.id, await auth.passwords.hash(body.password), user.encrypted_password],
    );
  return json(await inTransaction(pool, (db) => startSession(auth, db, user, 'password', call)));
}

async function refreshGrant(auth: Auth, call: Call): Promise<Response> {
  const { refresh_token } = await readJson(call.request, v.object({ refresh_token: text() }));
  if (refresh_token === '') throw invalid('refresh_token required');
  await countAttempt(auth, [perIp(auth, call, 'refresh')]);
  return json(await refreshSession(auth, refresh_token));
}

const pkceBody = v.object({ auth_code: text(), code_verifier: text() });

async function pkceGrant(auth: Auth, call: Call): Promise<Response> {
  const { auth_code, code_verifier } = await readJson(call.request, pkceBody);
  if (auth_code === '' || code_verifier === '')
    throw invalid('invalid request: both auth code and code verifier should be non-empty');
  await countAttempt(auth, [perIp(auth, call, 'pkce')]);
  const { pool } = auth.database;
  // Runs outside the transaction below, because a wrong verifier must invalidate the code even though the request fails.
  const flow = await takeFlow(pool, auth_code, code_verifier);
  const user = await findUserById(pool, flow.user_id);
  if (!user || isBanned(user)) throw new AuthError(403, 'user_banned', 'User is banned');
  const session = await inTransaction(pool, async (db) => {
    // Two signups had different passwords. This browser sent one of them and opened the mailed link, so its password takes effect.
    if (flow.password_hash !== null)
      await db.query(
        'update auth.users set encrypted_password = $2 where id = $1 and encrypted_password is null',
        [user.id, flow.password_hash],
      );
    return startSession(auth, db, user, flow.authentication_method, call);
  });
  const open = (encrypted: string | null) =>
    encrypted === null ? undefined : (decrypt(auth.tokens, encrypted) ?? undefined);
  return json({
    ...session,
    provider_token: open(flow.provider_access_token),
    provider_refresh_token: open(flow.provider_refresh_token),
  });
}

const grants: Record<string, Handler> = {
  password: passwordGrant,
  refresh_token: refreshGrant,
  pkce: pkceGrant,
  id_token: idTokenGrant,
};

export const token: Handler = (auth, call) => {
  const name = call.url.searchParams.get('grant_type') ?? '';
  const grant = Object.hasOwn(grants, name) ? grants[name] : undefined;
  if (!grant) throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
  return grant(auth, call);
};

export const logout: Handler = async (auth, call) => {
  const scope = call.url.searchParams.get('scope') ?? 'global';
  if (scope !== 'global' && scope !== 'local' && scope !== 'others')
    throw invalid(`Unsupported logout scope "${scope}"`);
  const { user, session } = await requireUser(auth, call);
  // A caller who has not used the second factor can log out, but cannot end the owner's other sessions.
  if (scope !== 'local' && lacksSecondFactor(user, session))
    throw new AuthError(422, 'insufficient_aal', 'AAL2 required to end other sessions');
  await endSessions(auth.database.pool, user.id, scope, session?.id ?? null);
  return new Response(null, { status: 204 });
};
