// Whether the query cache still gets back what it held before a restart; what needs that waits for it.

let restoring: Promise<void> | null = null;

/** For whoever brings it back (offline/): from now until `work` is over there is something to wait for. */
export function announceRestoring(work: Promise<void>): void {
  restoring = work.finally(() => {
    restoring = null;
  });
}

/** Undefined once there is nothing to wait for, so that a navigation stays in one go. */
export const cacheRestored = (): Promise<void> | undefined => restoring ?? undefined;
