// The networks from which an account has logged in. Rate limits count them separately from all other networks, so that attackers
// who use up a limit do not lock out the owner.
import { createHmac } from 'node:crypto';
import { ipSubject } from '#/host/lib/ip-addresses.ts';
import type { Auth, Call, Queryable } from '#/host/auth/context.ts';

/** Returns a keyed hash of the caller's network. */
export const networkOf = (auth: Auth, call: Call): string =>
  createHmac('sha256', auth.tokens.derive('networks'))
    .update(ipSubject(call.ip))
    .digest('base64url');

/**
 * Records the caller's network for the account. Call it only after the caller has authenticated completely, with the second factor
 * if there is one.
 */
export async function rememberNetwork(
  auth: Auth,
  call: Call,
  db: Queryable,
  userId: string,
): Promise<void> {
  await db.query(
    `insert into auth.known_networks (user_id, network_hash) values ($1, $2)
     on conflict (user_id, network_hash) do update set used_at = now()`,
    [userId, networkOf(auth, call)],
  );
}

/**
 * Returns the subject of a rate limit. All networks from which the account has logged in share one subject, and all other networks
 * share another.
 * @param of the account's ID or email; an email without an account has no networks
 */
export async function sharedSubject(auth: Auth, call: Call, of: string): Promise<string> {
  const { rows } = await auth.database.pool.query<{ known: boolean }>(
    `select exists (select from auth.known_networks n join auth.users u on u.id = n.user_id
       where n.network_hash = $2 and (u.id::text = $1 or lower(u.email collate "C") = $1)) as known`,
    [of, networkOf(auth, call)],
  );
  return rows[0]?.known ? `own networks of ${of}` : of;
}
