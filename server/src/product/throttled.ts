// Throttles work that many changes request, and limits its share of the time: the longer it takes, the longer it pauses.

interface Pace {
  /** Delay before the first run, so that successive changes cause one run. */
  delayMs: number;
  /** Maximum share of the time that the work takes, such as 0.1. */
  share: number;
}

/**
 * Creates the throttle for one type of work.
 * @param start starts the work, on this host or another; work on this host goes through `measured`
 */
export function throttled({ delayMs, share }: Pace, start: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let restsUntil = 0;
  return {
    /** Requests the work. Several changes cause one run. */
    changed(): void {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          start();
        },
        Math.max(delayMs, restsUntil - performance.now()),
      );
    },
    /** Runs the work and pauses after it, even if it fails. */
    async measured<Result>(work: () => Promise<Result>): Promise<Result> {
      const began = performance.now();
      try {
        return await work();
      } finally {
        const ended = performance.now();
        restsUntil = Math.max(restsUntil, ended + (ended - began) * (1 / share - 1));
      }
    },
    stop: () => clearTimeout(timer),
  };
}
