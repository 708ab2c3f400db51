// Lets through one call at a time, a fixed distance apart: what public address services ask of all our users together.

export class QueueFullError extends Error {}

/**
 * @param perSecond calls a second
 * @param longest how many may wait; the next one is turned away with QueueFullError
 */
export function createQueue(perSecond: number, longest: number) {
  let waiting = 0;
  let nextAt = 0;
  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= longest) throw new QueueFullError();
    const now = Date.now();
    const at = Math.max(now, nextAt);
    nextAt = at + 1000 / perSecond;
    waiting += 1;
    try {
      if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
    } finally {
      waiting -= 1;
    }
    return work();
  };
}
