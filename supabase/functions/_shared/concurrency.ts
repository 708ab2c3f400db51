// Limits work that occupies this process for as long as a client takes: one at a time for each user, and so many in all.

interface ConcurrencyLimit {
  /** Null where the work may begin; else the status of the refusal: 429 while this user's last one runs, 503 while too many do. */
  tryAcquire(userId: string): 429 | 503 | null;
  /** To be called once for each `tryAcquire` that returned null. */
  release(userId: string): void;
}

/** @param max at once in all; counted by this process alone */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const running = new Set<string>();
  return {
    tryAcquire(userId) {
      if (running.has(userId)) return 429;
      if (running.size >= max) return 503;
      running.add(userId);
      return null;
    },
    release: (userId) => void running.delete(userId),
  };
}
