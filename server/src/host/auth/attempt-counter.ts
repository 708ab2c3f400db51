// Counts attempts in the database, so that all hosts share each limit. Keys are hashed.
import { createHmac } from 'node:crypto';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from '#/host/db/database.ts';
import type { Tokens } from '#/host/lib/tokens.ts';

export interface RateLimit {
  kind: string;
  /** The subject: an IP, an email or an ID. */
  subject: string;
  /** Maximum within `seconds`, which start with the first attempt. */
  most: number;
  seconds: number;
}

const MAX_LIMIT_MS = 2 * 86_400_000;

export function createAttemptCounter({ pool }: Database, tokens: Tokens) {
  // The library counts points for a duration: one limiter for each pair, all on the same table.
  const limiters = new Map<string, RateLimiterPostgres>();
  const secret = tokens.derive('rate-limits');

  function limiterFor({ most, seconds }: RateLimit): RateLimiterPostgres {
    const name = `${most}/${seconds}`;
    const known = limiters.get(name);
    if (known) return known;
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      schemaName: 'auth',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: '',
      points: most,
      duration: seconds,
    });
    limiters.set(name, limiter);
    return limiter;
  }

  const keyOf = ({ kind, subject }: RateLimit): string =>
    createHmac('sha256', secret).update(`${kind}\n${subject}`).digest('base64url');

  return {
    /** Counts one attempt against one limit after the other. Throws RateLimiterRes for the first that is used up: those behind it are not counted. */
    async consume(limits: readonly RateLimit[]): Promise<void> {
      for (const limit of limits) await limiterFor(limit).consume(keyOf(limit));
    },
    /** Forgets the attempts counted against limits, as after a right password. */
    async reset(limits: readonly RateLimit[]): Promise<void> {
      for (const limit of limits) await limiterFor(limit).delete(keyOf(limit));
    },
    /** Deletes expired counters. It may run in several processes at the same time. */
    async sweep(): Promise<void> {
      // One that ends later than any limit lasts was counted while the clock was ahead.
      await pool.query('delete from auth.rate_limits where expire < $1 or expire > $1 + $2', [
        Date.now(),
        MAX_LIMIT_MS,
      ]);
    },
  };
}
