// Sessions: access tokens and rotating refresh tokens. Refresh tokens are not stored: each is a signed `session id, counter`. So a
// leaked database grants no access, and a client that lost the current token can receive it again (docs/decisions/auth-tokens.md).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { inTransaction } from '#/host/db/transaction.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import type { Auth, Call, Queryable } from '#/host/auth/context.ts';
import { rememberNetwork } from '#/host/auth/known-networks.ts';
import { userJson } from '#/host/auth/user-json.ts';
import { findUserById, hasFactor, isBanned, reread, type User } from '#/host/auth/users.ts';

/** An entry of GoTrue's `amr` claim: how and when the user authenticated. The newest comes first. */
export interface Proof {
  method:
    | 'password'
    | 'otp'
    | 'oauth'
    | 'magiclink'
    | 'recovery'
    | 'invite'
    | 'email_change'
    | 'email/signup'
    | 'totp'
    | 'mfa/phone'
    | 'recovery_code';
  timestamp: number;
}

export interface Session {
  id: string;
  user_id: string;
  created_at: Date;
  refreshed_at: Date | null;
  aal: 'aal1' | 'aal2';
  amr: Proof[];
  refresh_token_counter: number;
  /** Refresh tokens with a lower counter were issued at a lower assurance level. */
  first_refresh_token: number;
}

const GRACE_SECONDS = 10;

const USER_AGENT_LENGTH = 300;

const sign = (auth: Auth, content: Buffer) =>
  createHmac('sha256', auth.tokens.derive('refresh-tokens'))
    .update(content)
    .digest()
    .subarray(0, 16);

function refreshToken(auth: Auth, session: Session): string {
  const content = Buffer.alloc(20);
  content.write(session.id.replaceAll('-', ''), 'hex');
  content.writeUInt32BE(session.refresh_token_counter, 16);
  return Buffer.concat([content, sign(auth, content)]).toString('base64url');
}

function readRefreshToken(auth: Auth, token: string): { id: string; counter: number } | null {
  const bytes = Buffer.from(token, 'base64url');
  const content = bytes.subarray(0, 20);
  if (bytes.length !== 36 || !timingSafeEqual(sign(auth, content), bytes.subarray(20))) return null;
  const id = content.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { id, counter: content.readUInt32BE(16) };
}

/** The response to every successful sign-in, in GoTrue's format. */
async function sessionJson(
  auth: Auth,
  user: User,
  session: Session,
): Promise<Record<string, unknown>> {
  const lifetime = auth.settings.JWT_LIFETIME;
  const issuedAt = Math.floor(Date.now() / 1000);
  const token = await auth.tokens.sign(
    {
      iss: `${auth.siteUrl}/auth/v1`,
      sub: user.id,
      aud: user.aud,
      role: 'authenticated',
      iat: issuedAt,
      email: user.email ?? '',
      phone: user.phone ?? '',
      app_metadata: user.raw_app_meta_data,
      user_metadata: user.raw_user_meta_data,
      aal: session.aal,
      amr: session.amr,
      session_id: session.id,
      is_anonymous: user.is_anonymous,
    },
    lifetime,
  );
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: lifetime,
    expires_at: issuedAt + lifetime,
    refresh_token: refreshToken(auth, session),
    user: userJson(user),
  };
}

/**
 * Starts a session and returns its response.
 * @param call the login's request; its user agent lets the user recognise the device
 */
export async function startSession(
  auth: Auth,
  db: Queryable,
  user: User,
  method: Proof['method'],
  call: Call,
): Promise<Record<string, unknown>> {
  const proof: Proof = { method, timestamp: Math.floor(Date.now() / 1000) };
  const { rows } = await db.query<Session>(
    'insert into auth.sessions (user_id, amr, user_agent) values ($1, $2, $3) returning *',
    [
      user.id,
      JSON.stringify([proof]),
      call.request.headers.get('user-agent')?.slice(0, USER_AGENT_LENGTH) ?? null,
    ],
  );
  await db.query('update auth.users set last_sign_in_at = now() where id = $1', [user.id]);
  // If there is a second factor, the password alone does not prove that the caller is the owner, so the network is not recorded
  // yet.
  if (!hasFactor(user)) await rememberNetwork(auth, call, db, user.id);
  return sessionJson(auth, await reread(db, user), rows[0] as Session);
}

/** Returns the parameters of the redirect URL that contain the session. */
export const sessionParameters = ({ user: _user, ...session }: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(session).map(([name, value]) => [name, String(value)]));

export async function endSessions(
  db: Queryable,
  userId: string,
  scope: 'global' | 'local' | 'others',
  sessionId: string | null,
): Promise<void> {
  await db.query(
    `delete from auth.sessions where user_id = $1
       and ($2 = 'global' or ($2 = 'local' and id = $3) or ($2 = 'others' and id is distinct from $3))`,
    [userId, scope, sessionId],
  );
}

const proofsWith = (session: Session, method: Proof['method']): Proof[] => [
  { method, timestamp: Math.floor(Date.now() / 1000) },
  ...session.amr.filter((earlier) => earlier.method !== method),
];

export async function confirmSession(
  db: Queryable,
  session: Session,
  method: Proof['method'],
): Promise<void> {
  await db.query('update auth.sessions set amr = $2, updated_at = now() where id = $1', [
    session.id,
    JSON.stringify(proofsWith(session, method)),
  ]);
}

/**
 * Raises a session to AAL2 after a factor was verified, and rotates its refresh token. As in GoTrue, the user's AAL1 sessions end.
 */
export async function raiseSession(
  auth: Auth,
  call: Call,
  db: Queryable,
  user: User,
  session: Session,
  factorId: string,
  method: Proof['method'],
): Promise<Record<string, unknown>> {
  const amr = proofsWith(session, method);
  const { rows } = await db.query<Session>(
    `update auth.sessions set aal = 'aal2', factor_id = $2, amr = $3, updated_at = now(), refreshed_at = now(),
       refresh_token_counter = refresh_token_counter + 1, first_refresh_token = refresh_token_counter + 1
     where id = $1 returning *`,
    [session.id, factorId, JSON.stringify(amr)],
  );
  await db.query(`delete from auth.sessions where user_id = $1 and aal = 'aal1'`, [user.id]);
  await rememberNetwork(auth, call, db, user.id);
  return sessionJson(auth, user, rows[0] as Session);
}

const rejected = (code: string, reason: string) =>
  new AuthError(400, code, `Invalid Refresh Token: ${reason}`);

const olderThan = (since: Date, hours: number | undefined) =>
  hours !== undefined && Date.now() - since.getTime() > hours * 3_600_000;

/**
 * Exchanges a refresh token for a new session response. Within ten seconds, a token that was already exchanged returns the current
 * token, because several tabs may refresh at the same time. Later reuse ends the session, because the token may have been stolen.
 * @throws AuthError 400 refresh_token_not_found, refresh_token_already_used, session_expired, user_banned
 */
export async function refreshSession(auth: Auth, token: string): Promise<Record<string, unknown>> {
  const claimed = readRefreshToken(auth, token);
  const notFound = rejected('refresh_token_not_found', 'Refresh Token Not Found');
  if (claimed === null) throw notFound;
  // The error is returned instead of thrown, so that the end of the session is committed.
  const result = await inTransaction(auth.database.pool, async (db) => {
    const { rows } = await db.query<Session & { lapsed: boolean }>(
      `select *, coalesce(refreshed_at, created_at) < now() - make_interval(secs => $2) as lapsed
       from auth.sessions where id = $1 for update`,
      [claimed.id, GRACE_SECONDS],
    );
    const session = rows[0];
    const user = session && (await findUserById(db, session.user_id));
    if (!session || !user) return notFound;
    if (isBanned(user)) return rejected('user_banned', 'User Banned');
    if (olderThan(session.created_at, auth.settings.SESSION_MAX_HOURS))
      return rejected('session_expired', 'Session Expired');
    if (olderThan(session.refreshed_at ?? session.created_at, auth.settings.SESSION_IDLE_HOURS))
      return rejected('session_expired', 'Session Expired (Inactivity)');
    const behind = session.refresh_token_counter - claimed.counter;
    if (behind < 0 || claimed.counter < session.first_refresh_token) return notFound;
    if (behind > 0 && session.lapsed) {
      await db.query('delete from auth.sessions where id = $1', [session.id]);
      return rejected('refresh_token_already_used', 'Already Used');
    }
    if (behind > 0) return sessionJson(auth, user, session);
    const rotated = await db.query<Session>(
      `update auth.sessions set refresh_token_counter = refresh_token_counter + 1, refreshed_at = now(), updated_at = now()
       where id = $1 returning *`,
      [session.id],
    );
    return sessionJson(auth, user, rotated.rows[0] as Session);
  });
  if (result instanceof AuthError) throw result;
  return result;
}
