// Divides the pool's connections among callers, so that no caller waits behind all requests of another.
import { LRUCache } from 'lru-cache';
import { ipSubject } from '#/host/lib/ip-addresses.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import { FairSemaphore } from '#/host/limits/fair-semaphore.ts';

/** The claims of anonymous callers. Public pages and files are read with them, too. */
export const VISITOR: Claims = { role: 'anon' };

/** Maximum milliseconds that a request waits for a connection of the pool. */
export const ACQUIRE_TIMEOUT_MS = 5000;

/** Requests of the app usually take at most this long. Only additional time counts towards a caller's cost. */
const USUAL_MS = 100;
/** A caller counts as slow if its recent cost exceeds this and a quarter of the highest cost of any caller. */
const SLOW_FROM_MS = 1000;
/** With a higher cost, a caller counts as slow regardless of other callers. */
const ALWAYS_SLOW_FROM_MS = 5000;
/** Half-life of a caller's accumulated cost. */
const HALF_LIFE_MS = 20_000;

/** A caller counts as heavy if its cost exceeds this and a sixteenth of the highest cost. */
const HEAVY_FROM_MS = 200;
/** A caller with more requests at the same time also counts as heavy. */
const MAX_LIGHT_AT_ONCE = 2;

interface Cost {
  ms: number;
  at: number;
}
const NOTHING: Cost = { ms: 0, at: 0 };

/**
 * @param connections the size of the pool
 * @param now returns milliseconds of a monotonic clock
 */
export function createCallerQuotas(connections: number, now = () => performance.now()) {
  const part = (share: number) => Math.ceil(connections * share);
  const timeout = ACQUIRE_TIMEOUT_MS;
  const costs = new LRUCache<string, Cost>({ max: 10_000 });
  let worst = NOTHING;

  const left = ({ ms, at }: Cost) => ms * 2 ** ((at - now()) / HALF_LIFE_MS);

  function charge(caller: string, ms: number): void {
    const cost = { ms: costOf(caller) + ms, at: now() };
    costs.set(caller, cost);
    if (cost.ms > left(worst)) worst = cost;
  }

  const costOf = (caller: string) => left(costs.get(caller) ?? NOTHING);

  function isSlow(caller: string): boolean {
    const cost = costOf(caller);
    return cost > SLOW_FROM_MS && cost > Math.min(left(worst) / 4, ALWAYS_SLOW_FROM_MS);
  }

  const isHeavy = (caller: unknown, atOnce: number) =>
    atOnce > MAX_LIGHT_AT_ONCE ||
    costOf(String(caller)) > Math.max(HEAVY_FROM_MS, left(worst) / 16);

  // Heavy callers leave an eighth of the connections to light ones, which would otherwise wait until a slow request ends.
  const leave = { isHeavy, reserved: Math.floor(connections / 8) };
  // Users and anonymous visitors together leave an eighth of the connections for logins, jobs and functions.
  const users = new FairSemaphore({ permits: part(1 / 2), each: part(1 / 4), timeout, ...leave });
  // Many visitors may share one IP, so an IP has no lower limit than all visitors.
  const visitors = new FairSemaphore({
    permits: part(3 / 8),
    each: part(3 / 8),
    timeout,
    ...leave,
  });
  // Callers whose requests are slow share few connections, because more than two such requests at a time would leave no processor
  // for other callers.
  const slow = new FairSemaphore({ permits: part(1 / 8), each: part(1 / 8), timeout });

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
     * @param costly true if the work is known to be slow, regardless of the caller's earlier requests
     * @throws AcquireTimeoutError if the wait is too long; `work` was not started
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
