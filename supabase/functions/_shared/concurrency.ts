// Limits work that occupies this process for as long as a client takes: one task per user, and a maximum in total.

/**
 * After this time a running task can be ended if another one waits. Otherwise twenty slow clients could hold all slots for ever.
 */
const MAX_MS = 600_000;

interface ConcurrencyLimit {
  /**
   * Returns null if the work may start, otherwise the status of the error: 429 while this user has another one running, 503 while
   * too many are running.
   * @param end Ends the work, to make room.
   */
  tryAcquire(userId: string, end: () => void): 429 | 503 | null;
  /** Must be called once for each `tryAcquire` that returned null. */
  release(end: () => void): void;
}

/** @param max concurrent tasks in total; each process counts its own */
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
