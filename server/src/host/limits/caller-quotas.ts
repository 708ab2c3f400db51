// Per-caller quotas of the pool's connections, so no caller waits behind all requests of another.
import { LRUCache } from 'lru-cache';
import { ipSubject } from '#/host/lib/ip-addresses.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import { FairSemaphore } from '#/host/limits/fair-semaphore.ts';

/** The claims of anonymous callers, also used for public pages and files. */
export const VISITOR: Claims = { role: 'anon' };

/** Milliseconds that a request may wait for a connection of the pool. */
export const ACQUIRE_TIMEOUT_MS = 5000;

/** The longest usual duration of the app's requests; only the time above it is charged. */
const USUAL_MS = 100;
/** A caller counts as slow if its recent cost exceeds both this and a quarter of the highest cost of any caller. */
const SLOW_FROM_MS = 1000;
/** Above this cost a caller is slow regardless of others. */
const ALWAYS_SLOW_FROM_MS = 5000;
/** Half-life of the accumulated cost. */
const HALF_LIFE_MS = 20_000;

interface Cost {
  ms: number;
  at: number;
}
const NOTHING: Cost = { ms: 0, at: 0 };

/** @param connections the size of the pool @param now milliseconds of a monotonic clock */
export function createCallerQuotas(connections: number, now = () => performance.now()) {
  const part = (share: number) => Math.ceil(connections * share);
  const timeout = ACQUIRE_TIMEOUT_MS;
  // Users and visitors together leave an eighth of the connections for logins, jobs and functions.
  const users = new FairSemaphore({ permits: part(1 / 2), each: part(1 / 4), timeout });
  // Many users may share one IP, so one IP may use the whole group.
  const visitors = new FairSemaphore({ permits: part(3 / 8), each: part(3 / 8), timeout });
  // The group of all callers with costly requests. More than two such requests would take the processors from everybody else.
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

  function share<T>(
    group: FairSemaphore,
    caller: string,
    work: () => Promise<T>,
    costly: boolean,
  ): Promise<T> {
    const counted = () =>
      group.run(caller, async () => {
        const began = now();
        try {
          return await work();
        } finally {
          charge(caller, Math.max(0, now() - began - USUAL_MS));
        }
      });
    return costly || isSlow(caller) ? slow.run(caller, counted) : counted();
  }

  return {
    /**
     * Runs `work`, which uses one connection at a time, when the caller's quota allows it.
     * @param ip the IP of an anonymous caller; requests from one IP queue behind each other
     * @param costly true if the work is known to be slow, whatever the caller's earlier requests cost
     * @throws AcquireTimeoutError after waiting too long; `work` was not started
     */
    run<T>(claims: Claims, work: () => Promise<T>, ip: string, costly = false): Promise<T> {
      if (claims.role === 'anon') return share(visitors, ipSubject(ip), work, costly);
      return claims.role === 'authenticated' && typeof claims.sub === 'string'
        ? share(users, claims.sub, work, costly)
        : work();
    },
  };
}

export type CallerQuotas = ReturnType<typeof createCallerQuotas>;
