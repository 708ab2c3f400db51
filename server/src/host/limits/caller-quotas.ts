// Who has how many of the pool's connections at once: no caller waits for all that another one asks.
import { LRUCache } from 'lru-cache';
import { ipSubject } from '#/host/lib/ip-addresses.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import { FairSemaphore } from '#/host/limits/fair-semaphore.ts';

/** Anonymous callers, as by a page's address or a file's. */
export const VISITOR: Claims = { role: 'anon' };

/** As long as the pool lets a request wait for a connection. */
export const ACQUIRE_TIMEOUT_MS = 5000;

/** What a request of the app takes at most; only what is beyond it counts as costly. */
const USUAL_MS = 100;
/** Slow is whose requests cost so much lately, and a quarter of what the costliest caller's cost. */
const SLOW_FROM_MS = 1000;
/** Slow whatever others cost. */
const ALWAYS_SLOW_FROM_MS = 5000;
/** Until half of it is forgotten. */
const HALF_LIFE_MS = 20_000;

interface Cost {
  ms: number;
  at: number;
}
const NOTHING: Cost = { ms: 0, at: 0 };

/** @param connections how many the pool has @param now milliseconds of a clock that only goes forward */
export function createCallerQuotas(connections: number, now = () => performance.now()) {
  const part = (share: number) => Math.ceil(connections * share);
  const timeout = ACQUIRE_TIMEOUT_MS;
  // Together they leave an eighth for logins, jobs and functions, whatever is asked.
  const people = new FairSemaphore({ permits: part(1 / 2), each: part(1 / 4), timeout });
  // Many may share one address: alone, it has all of the part.
  const visitors = new FairSemaphore({ permits: part(3 / 8), each: part(3 / 8), timeout });
  // All whose requests are costly: beyond two, PostgreSQL's processes take the processors from everybody else.
  const slow = new FairSemaphore({ permits: part(1 / 8), each: part(1 / 8), timeout });
  const costs = new LRUCache<string, Cost>({ max: 10_000 });
  let worst = NOTHING;

  const left = ({ ms, at }: Cost) => ms * 2 ** ((at - now()) / HALF_LIFE_MS);

  function charge(caller: string, ms: number): void {
    const cost = { ms: left(costs.get(caller) ?? NOTHING) + ms, at: now() };
    costs.set(caller, cost);
    if (cost.ms > left(worst)) worst = cost;
  }

  function isSlow(caller: string): boolean {
    const cost = left(costs.get(caller) ?? NOTHING);
    return cost > SLOW_FROM_MS && cost > Math.min(left(worst) / 4, ALWAYS_SLOW_FROM_MS);
  }

  function share<T>(group: FairSemaphore, caller: string, work: () => Promise<T>): Promise<T> {
    const counted = () =>
      group.run(caller, async () => {
        const began = now();
        try {
          return await work();
        } finally {
          charge(caller, Math.max(0, now() - began - USUAL_MS));
        }
      });
    return isSlow(caller) ? slow.run(caller, counted) : counted();
  }

  return {
    /**
     * Runs `work`, which takes one connection at a time, once its caller's share of them allows it.
     * @param address of an anonymous caller, whose requests wait behind each other's
     * @throws AcquireTimeoutError when it waited too long; nothing was begun
     */
    run<T>(claims: Claims, work: () => Promise<T>, ip: string): Promise<T> {
      if (claims.role === 'anon') return share(visitors, ipSubject(ip), work);
      return claims.role === 'authenticated' && typeof claims.sub === 'string'
        ? share(people, claims.sub, work)
        : work();
    },
  };
}

export type CallerQuotas = ReturnType<typeof createCallerQuotas>;
