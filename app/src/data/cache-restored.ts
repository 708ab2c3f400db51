// The state of restoring the query cache after a restart.

let restoring: Promise<void> | null = null;

/** Called when the cache is being restored; `cacheRestored` then waits for `work`. */
export function announceRestoring(work: Promise<void>): void {
  restoring = work.finally(() => {
    restoring = null;
  });
}

/** Undefined if there is nothing to wait for, so that a navigation stays synchronous. */
export const cacheRestored = (): Promise<void> | undefined => restoring ?? undefined;
