// Detects revoked sessions, so that a ban, a logout on another device or a new password invalidates access tokens within seconds.
import { LRUCache } from 'lru-cache';
import type { Database } from '#/host/db/database.ts';
import { TokenError, type Claims, type Tokens } from '#/host/lib/tokens.ts';
import { isUuid } from '#/host/lib/uuid.ts';

/** Milliseconds for which a session's state is cached. */
const CACHED_MS = 2000;

const NOT_BANNED = '(banned_until is null or banned_until <= now())';

/** Returns those of the given sessions (UUIDs) that have ended or belong to a banned account. */
export async function findRevokedSessions(
  { pool }: Database,
  sessions: string[],
): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `select n.id from unnest($1::uuid[]) as n (id) where not exists
       (select from auth.sessions s join auth.users u on u.id = s.user_id where s.id = n.id and ${NOT_BANNED})`,
    [sessions],
  );
  return new Set(rows.map(({ id }) => id));
}

export async function isSessionRevoked(
  database: Database,
  { sub, session_id }: Claims,
): Promise<boolean> {
  if (!isUuid(sub)) return false;
  if (isUuid(session_id)) return (await findRevokedSessions(database, [session_id])).size > 0;
  // A token without a session, such as one that an operator signed: only the account is checked.
  const { rowCount } = await database.pool.query(
    `select from auth.users where id = $1 and not ${NOT_BANNED}`,
    [sub],
  );
  return rowCount === 1;
}

/**
 * Wraps `tokens` so that `verify` treats tokens of revoked sessions and banned accounts as expired. The client then refreshes its
 * token, and the auth service responds with the reason.
 */
export function rejectRevokedSessions(tokens: Tokens, database: Database): Tokens {
  const revoked = new LRUCache<string, boolean, Claims>({
    max: 10_000,
    ttl: CACHED_MS,
    fetchMethod: (_key, _stale, { context }) => isSessionRevoked(database, context),
  });

  return {
    ...tokens,
    async verify(token) {
      const claims = await tokens.verify(token);
      if (!isUuid(claims.sub)) return claims;
      const key = `${claims.sub} ${claims.session_id ?? ''}`;
      // If the database cannot be reached, the session counts as valid, because every later query fails and reports the error
      // anyway.
      const isRevoked =
        revoked.get(key) ?? (await revoked.fetch(key, { context: claims }).catch(() => false));
      if (isRevoked) throw new TokenError('expired');
      return claims;
    },
  };
}
