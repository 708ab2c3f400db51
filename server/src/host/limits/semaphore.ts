// A bounded number of tasks at once within this process; the others wait in order.
import { Semaphore as Permits } from 'async-mutex';

/** Thrown by `Semaphore.run` when the caller gave up before a permit became free. */
export class GaveUpError extends Error {}

export class Semaphore {
  readonly #permits: Permits;
  #waiting = 0;

  /** @param permits how many tasks run at once */
  constructor(permits: number) {
    this.#permits = new Permits(permits);
  }

  get isFull(): boolean {
    return this.#permits.isLocked();
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs a task once it has a permit; those that wait come in order.
   * @param signal aborted when the caller gave up: a task that still waits then is never started
   * @throws GaveUpError when `signal` was aborted while it waited; the task was not started
   */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const mustWait = this.isFull;
    if (mustWait) this.#waiting += 1;
    const release = await this.#acquire(signal).finally(() => {
      if (mustWait) this.#waiting -= 1;
    });
    try {
      return await task();
    } finally {
      release();
    }
  }

  async #acquire(signal: AbortSignal | undefined): Promise<() => void> {
    if (signal?.aborted) throw new GaveUpError('Given up before it began');
    const acquired = this.#permits.acquire().then(([, release]) => release);
    if (!signal) return acquired;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        reject(new GaveUpError('Given up while it waited'));
        // The library cannot take one task out of its queue: when its turn comes, the permit goes on at once.
        acquired.then(
          (release) => release(),
          () => undefined,
        );
      };
      signal.addEventListener('abort', giveUp, { once: true });
      acquired.finally(() => signal.removeEventListener('abort', giveUp)).then(resolve, reject);
    });
  }
}
