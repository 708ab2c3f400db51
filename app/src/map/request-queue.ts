// Spaces requests out: the first goes at once, what comes within the delay waits, and only the newest of it is sent.
export interface Clock {
  now(): number;
  setTimeout(run: () => void, delay: number): number;
  clearTimeout(timer: number): void;
}

const browserClock: Clock = {
  now: () => performance.now(),
  setTimeout: (run, delay) => window.setTimeout(run, delay),
  clearTimeout: (timer) => window.clearTimeout(timer),
};

/** Between two clustering requests, in milliseconds: a map that is dragged asks a few times a second, not each frame. */
const QUEUE_DELAY = 300;

interface RequestQueue<T> {
  request(value: T): void;
  clear(): void;
}

/** @param send gets the newest value, at most once in `delay` milliseconds */
export function createRequestQueue<T>(
  send: (value: T) => void,
  { delay = QUEUE_DELAY, clock = browserClock }: { delay?: number; clock?: Clock } = {},
): RequestQueue<T> {
  let sentAt = -Infinity;
  let timer: number | null = null;
  let newest: { value: T } | null = null;

  function flush(): void {
    timer = null;
    if (!newest) return;
    const { value } = newest;
    newest = null;
    sentAt = clock.now();
    send(value);
  }

  return {
    request(value) {
      newest = { value };
      if (timer !== null) return;
      const wait = sentAt + delay - clock.now();
      if (wait <= 0) flush();
      else timer = clock.setTimeout(flush, wait);
    },
    clear() {
      if (timer !== null) clock.clearTimeout(timer);
      timer = null;
      newest = null;
    },
  };
}
