// Limits work that occupies this process for as long as a client takes: one at a time for each user, and so many in all.

/** Longer than that nobody has a place that another one waits for: else twenty who read slowly would have them all for ever. */
const MAX_MS = 600_000;

interface ConcurrencyLimit {
  /**
   * Null where the work may begin; else the status of the refusal: 429 while this user's last one runs, 503 while too many do.
   * @param end ends the work, to make room
   */
  tryAcquire(userId: string, end: () => void): 429 | 503 | null;
  /** To be called once for each `tryAcquire` that returned null. */
  release(end: () => void): void;
}

/** @param max at once in all; counted by this process alone */
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
