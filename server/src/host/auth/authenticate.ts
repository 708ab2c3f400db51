// Authenticates the caller of a request: reads the bearer token and finds the token's account and session.
import { bearerToken } from '#/host/lib/http.ts';
import { TokenError, type Claims } from '#/host/lib/tokens.ts';
import { isUuid } from '#/host/lib/uuid.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import type { Auth, Call } from '#/host/auth/context.ts';
import type { Session } from '#/host/auth/sessions.ts';
import { findUserById, hasFactor, isBanned, type User } from '#/host/auth/users.ts';

async function readClaims(auth: Auth, call: Call): Promise<Claims> {
  const token = bearerToken(call.request);
  if (token === null || token === '')
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  try {
    return await auth.tokens.verify(token);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    const reason = error.reason === 'expired' ? 'token is expired' : 'signature is invalid';
    throw new AuthError(
      403,
      'bad_jwt',
      `invalid JWT: unable to parse or verify signature, ${reason}`,
    );
  }
}

/** @throws AuthError 401 or 403 unless the caller has the service key */
export async function requireAdmin(auth: Auth, call: Call): Promise<void> {
  const claims = await readClaims(auth, call);
  if (claims.role !== 'service_role') throw new AuthError(403, 'not_admin', 'User not allowed');
}

const noSession = () =>
  new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');

/**
 * Returns the caller's account and session; the session is null if the token was issued without one.
 * @throws AuthError 401 or 403
 */
export async function requireUser(
  auth: Auth,
  call: Call,
): Promise<{ user: User; session: Session | null }> {
  const claims = await readClaims(auth, call);
  if (!isUuid(claims.sub)) throw new AuthError(403, 'bad_jwt', 'invalid claim: missing sub claim');
  const { pool } = auth.database;
  const user = await findUserById(pool, claims.sub);
  if (!user)
    throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
  if (isBanned(user)) throw new AuthError(403, 'user_banned', 'User is banned');
  if (claims.session_id === undefined) return { user, session: null };
  const { rows } = await pool.query<Session>(
    'select * from auth.sessions where id = $1 and user_id = $2',
    [isUuid(claims.session_id) ? claims.session_id : null, user.id],
  );
  const [session] = rows;
  // A new second factor ends the sessions without one, and the app shows that as the reason.
  if (!session && hasFactor(user) && claims.aal === 'aal1')
    throw new AuthError(
      403,
      'insufficient_aal',
      'The session ended when a second factor was added',
    );
  if (!session) throw noSession();
  // A token from before the session used the second factor keeps its lower level, because it may have been stolen before.
  return { user, session: { ...session, aal: claims.aal === 'aal2' ? session.aal : 'aal1' } };
}

/** Like `requireUser`, for requests that need a session. @throws AuthError 401 or 403 */
export async function requireSession(
  auth: Auth,
  call: Call,
): Promise<{ user: User; session: Session }> {
  const { user, session } = await requireUser(auth, call);
  if (!session) throw noSession();
  return { user, session };
}

const RECENT_LOGIN_SECONDS = 600;

/**
 * Changing credentials requires more than a token, which may be stolen: the user must have logged in, used a factor or entered the
 * password within the last ten minutes.
 * @throws AuthError 400 reauthentication_needed
 */
export function requireRecentLogin(session: Session | null): void {
  const since = Date.now() / 1000 - RECENT_LOGIN_SECONDS;
  if (!session?.amr.some(({ timestamp }) => timestamp > since))
    throw new AuthError(400, 'reauthentication_needed', 'This requires the password again');
}

/**
 * Returns true if the account has a verified second factor that this session has not used. Such a session must not change anything.
 */
export const lacksSecondFactor = (user: User, session: Session | null): boolean =>
  hasFactor(user) && session?.aal !== 'aal2';
