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
  max: number;
  seconds: number;
}

const MAX_LIMIT_MS = 2 * 86_400_000;

export function createAttemptCounter({ pool }: Database, tokens: Tokens) {
  // rate-limiter-flexible needs one limiter for each combination of points and duration. All limiters share one table.
  const limiters = new Map<string, RateLimiterPostgres>();
  const secret = tokens.derive('rate-limits');

  function limiterFor({ max, seconds }: RateLimit): RateLimiterPostgres {
    const name = `${max}/${seconds}`;
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
      points: max,
      duration: seconds,
    });
    limiters.set(name, limiter);
    return limiter;
  }

  const keyOf = ({ kind, subject }: RateLimit): string =>
    createHmac('sha256', secret).update(`${kind}\n${subject}`).digest('base64url');

  return {
    /**
     * Counts one attempt against each limit in turn. Throws RateLimiterRes for the first exceeded limit, without counting against
     * the limits after it.
     */
    async consume(limits: readonly RateLimit[]): Promise<void> {
      for (const limit of limits) await limiterFor(limit).consume(keyOf(limit));
    },
    async reset(limits: readonly RateLimit[]): Promise<void> {
      for (const limit of limits) await limiterFor(limit).delete(keyOf(limit));
    },
    /** Deletes expired counters. Several processes may call it at the same time. */
    async sweep(): Promise<void> {
      // Counters that expire later than any limit lasts are deleted too, because they were stored while the clock was ahead.
      await pool.query('delete from auth.rate_limits where expire < $1 or expire > $1 + $2', [
        Date.now(),
        MAX_LIMIT_MS,
      ]);
    },
  };
}
