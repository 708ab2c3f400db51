// Ten events a second for each client: a burst of ten goes at once, the rest waits its turn, and too many end it.

const PER_SECOND = 10;
const MOST_WAITING = 200;

/**
 * Makes the valve of one client.
 * @param overflow called when more than two hundred events wait; they are dropped
 */
export function createPace<T>(send: (item: T) => void, overflow: () => void) {
  const waiting: T[] = [];
  let tokens = PER_SECOND;
  let countedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  function refill(): void {
    const now = performance.now();
    tokens = Math.min(PER_SECOND, tokens + ((now - countedAt) * PER_SECOND) / 1000);
    countedAt = now;
  }

  function release(): void {
    timer = undefined;
    refill();
    for (; tokens >= 1 && waiting.length > 0; tokens -= 1) send(waiting.shift() as T);
    if (waiting.length > 0) schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(release, Math.ceil(((1 - tokens) * 1000) / PER_SECOND));
    timer.unref();
  }

  return {
    put(item: T): void {
      refill();
      if (waiting.length === 0 && tokens >= 1) {
        tokens -= 1;
        return send(item);
      }
      if (waiting.length >= MOST_WAITING) {
        waiting.length = 0;
        return overflow();
      }
      waiting.push(item);
      schedule();
    },
    stop(): void {
      clearTimeout(timer);
      waiting.length = 0;
    },
  };
}
