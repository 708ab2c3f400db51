// Creates load on loopback, either as fast as a few workers can or at a constant rate.
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Returns calls per second.
 * @param call one operation; throws if it fails
 */
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
 * Calls `work` at constant intervals, regardless of the duration of each call, and waits for all calls.
 * @param work receives the number of the call, from 0
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

/**
 * Repeats each of `workers` while `measure` runs, and returns the result of `measure`.
 * @param workers receive the number of the iteration
 */
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
