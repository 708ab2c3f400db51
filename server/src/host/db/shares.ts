// Who has how many of the pool's connections at once: no caller waits for all that another one asks.
import { addressSubject } from '#/host/lib/addresses.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import { FairSemaphore } from '#/host/limits/fair-semaphore.ts';

/** Anonymous callers, as by a page's address or a file's. */
export const VISITOR: Claims = { role: 'anon' };

/** As long as the pool lets a request wait for a connection. */
export const ACQUIRE_TIMEOUT_MS = 5000;

export interface Shares {
  /**
   * Runs `work`, which takes one connection at a time, once its caller's share of them allows it.
   * @param address of an anonymous caller, whose requests wait behind each other's
   * @throws AcquireTimeoutError when it waited too long; nothing was begun
   */
  run<T>(claims: Claims, work: () => Promise<T>, address: string): Promise<T>;
}

/** @param connections how many the pool has */
export function createShares(connections: number): Shares {
  const part = (share: number) => Math.ceil(connections * share);
  const timeout = ACQUIRE_TIMEOUT_MS;
  // Together they leave an eighth for logins, jobs and functions, whatever is asked.
  const people = new FairSemaphore({ permits: part(1 / 2), each: part(1 / 4), timeout });
  // Many may share one address: alone, it has all of the part.
  const visitors = new FairSemaphore({ permits: part(3 / 8), each: part(3 / 8), timeout });
  return {
    run(claims, work, address) {
      if (claims.role === 'anon') return visitors.run(addressSubject(address), work);
      return claims.role === 'authenticated' && typeof claims.sub === 'string'
        ? people.run(claims.sub, work)
        : work();
    },
  };
}
