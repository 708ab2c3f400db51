// Limits tasks that last as long as a client needs to read the response: one task per user, and a maximum in total.

/**
 * After this time, a running task may be ended to make room for a waiting one. Otherwise twenty slow clients could occupy all slots
 * for ever.
 */
const MAX_MS = 600_000;

interface ConcurrencyLimit {
  /**
   * Returns null if the task may start. Otherwise returns the status of the error: 429 if this user already has a running task, 503
   * if too many tasks are running.
   * @param end ends the task, to make room for another one
   */
  tryAcquire(userId: string, end: () => void): 429 | 503 | null;
  /** Call it once for each `tryAcquire` that returned null. */
  release(end: () => void): void;
}

/** @param max maximum of concurrent tasks in this process */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const running = new Map<() => void, { userId: string; since: number }>();
  return {
    tryAcquire(userId, end) {
      if ([...running.values()].some((one) => one.userId === userId)) return 429;
      const [oldest] = running;
      if (oldest && running.size >= max) {
        if (Date.now() - oldest[1].since < MAX_MS) return 503;
        running.delete(oldest[0]);
        oldest[0]();
      }
      running.set(end, { userId, since: Date.now() });
      return null;
    },
    release: (end) => void running.delete(end),
  };
}
