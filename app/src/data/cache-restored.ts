// Whether the query cache still gets back what it held before a restart; what needs that waits for it.

let restoring: Promise<void> | null = null;

/** Called by offline/ when it restores the cache: `cacheRestored` waits until `work` is done. */
export function announceRestoring(work: Promise<void>): void {
  restoring = work.finally(() => {
    restoring = null;
  });
}

/** Undefined once there is nothing to wait for, so that a navigation stays in one go. */
export const cacheRestored = (): Promise<void> | undefined => restoring ?? undefined;
