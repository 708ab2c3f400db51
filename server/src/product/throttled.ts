// Throttles work that many changes request, and limits its share of the time: the longer it takes, the longer the pause after it.

interface Pace {
  /** Delay before the first run, so that successive changes cause only one run. */
  delayMs: number;
  /** Maximum fraction of the time that the work takes, such as 0.1. */
  share: number;
}

/**
 * Creates the throttle for one type of work.
 * @param start starts the work on this or another host; on this host, the work is passed to `measured`
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
    /** Runs the work and starts the pause after it, even if the work fails. */
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
