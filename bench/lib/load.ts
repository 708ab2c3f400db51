// Bounded load on loopback: as fast as a few workers can, or at a steady rate.
import { setTimeout as pause } from 'node:timers/promises';

/** `call`: one operation; it throws when the operation fails. Returns calls per second. */
export async function throughput(
  call: (index: number) => Promise<unknown>,
  { calls, connections }: { calls: number; connections: number },
): Promise<number> {
  let next = 0;
  async function worker() {
    while (next < calls) await call(next++);
  }
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  return calls / ((performance.now() - began) / 1000);
}

/**
 * Calls `work` at evenly spaced moments, however long each takes, and waits for all of them.
 * @param work gets the number of the call, from 0
 */
export async function atConstantRate(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  const began = performance.now();
  const total = Math.round(perSecond * seconds);
  const running = new Set<Promise<unknown>>();
  for (let n = 0; n < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * perSecond) + 1);
    for (; n < due; n += 1) {
      const one = work(n).finally(() => running.delete(one));
      running.add(one);
    }
    await pause(2);
  }
  await Promise.all(running);
}

/** What `measure` comes to while each of `workers` does its work over and over. @param workers get the number of their turn */
export async function underLoad<T>(
  workers: ((turn: number) => Promise<unknown>)[],
  measure: () => Promise<T>,
): Promise<T> {
  let going = true;
  const crowd = workers.map(async (work) => {
    for (let turn = 0; going; turn += 1) await work(turn);
  });
  try {
    return await measure();
  } finally {
    going = false;
    await Promise.all(crowd);
  }
}
