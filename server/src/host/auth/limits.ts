// Rate limits, counted in the database so that all host processes share them; keys are hashed.
import { createHmac } from 'node:crypto';
import { addressSubject } from '#/host/lib/addresses.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import type { Auth, Call } from '#/host/auth/context.ts';

export interface Limit {
  /** What is limited, such as `login`. */
  kind: string;
  /** Who: an address, an email or an id. */
  subject: string;
  most: number;
  seconds: number;
  code?: 'over_email_send_rate_limit' | 'over_sms_send_rate_limit';
}

const keyOf = (auth: Auth, { kind, subject }: Limit) =>
  createHmac('sha256', auth.tokens.derive('rate-limits'))
    .update(`${kind}\n${subject}`)
    .digest('base64url');

/** The limit of one route for one address; an IPv6 network counts as one address. */
export function perAddress(auth: Auth, call: Call, kind: string, factor = 1): Limit {
  const subject = addressSubject(call.address);
  return { kind, subject, most: auth.settings.AUTH_RATE_LIMIT * factor, seconds: 300 };
}

/**
 * Counts one attempt against each limit.
 * @throws AuthError 429 when one of them is used up
 */
export async function countAttempt(auth: Auth, limits: Limit[]): Promise<void> {
  const byKey = new Map(limits.map((limit) => [keyOf(auth, limit), limit]));
  // Ordered, so that two requests never wait for each other's rows.
  const { rows } = await auth.database.pool.query<{ key: string; hits: number; wait: number }>(
    `insert into auth.rate_limits as r (key, hits, resets_at)
     select t.key, 1, now() + make_interval(secs => t.seconds)
     from unnest($1::text[], $2::int[]) as t (key, seconds) order by t.key
     on conflict (key) do update set
       hits = case when r.resets_at <= now() then 1 else r.hits + 1 end,
       resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
     returning key, hits, ceil(extract(epoch from r.resets_at - now()))::int as wait`,
    [[...byKey.keys()], [...byKey.values()].map(({ seconds }) => seconds)],
  );
  for (const { key, hits, wait } of rows) {
    const limit = byKey.get(key);
    if (limit === undefined || hits <= limit.most) continue;
    if (limit.code === undefined)
      throw new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached');
    throw new AuthError(
      429,
      limit.code,
      `For security purposes, you can only request this after ${wait} seconds.`,
    );
  }
}

/** Forgets the attempts counted against limits, as after a right password. */
export async function forgetAttempts(auth: Auth, limits: Limit[]): Promise<void> {
  await auth.database.pool.query('delete from auth.rate_limits where key = any ($1)', [
    limits.map((limit) => keyOf(auth, limit)),
  ]);
}
