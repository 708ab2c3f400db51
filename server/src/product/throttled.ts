// Work that many changes ask for, and that may take a part of the time only: the longer it takes, the longer it rests.

interface Pace {
  /** Before the first time, so that changes that follow each other are one. */
  delayMs: number;
  /** The work takes at most this share of the time, such as 0.1, however often it is asked for. */
  share: number;
}

/** Makes the pace of one kind of work. `ask`: begins the work, here or elsewhere; what was asked for here goes through `measured`. */
export function throttled({ delayMs, share }: Pace, ask: () => void) {
  let asking: NodeJS.Timeout | undefined;
  let restsUntil = 0;
  return {
    /** Asks for the work soon; of several changes once. */
    changed(): void {
      asking ??= setTimeout(
        () => {
          asking = undefined;
          ask();
        },
        Math.max(delayMs, restsUntil - performance.now()),
      );
    },
    /** Runs the work and rests after it, whatever became of it. */
    async measured<Result>(work: () => Promise<Result>): Promise<Result> {
      const began = performance.now();
      try {
        return await work();
      } finally {
        const ended = performance.now();
        restsUntil = Math.max(restsUntil, ended + (ended - began) * (1 / share - 1));
      }
    },
    stop: () => clearTimeout(asking),
  };
}
