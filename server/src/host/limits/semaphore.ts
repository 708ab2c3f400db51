// A bounded number of tasks at once within this process; the others wait in order, by priority, and not for ever.
import { Semaphore as Permits, withTimeout } from 'async-mutex';

/** Thrown by `Semaphore.run` when no permit became free in time. */
export class AcquireTimeoutError extends Error {}

export class Semaphore {
  readonly #permits: Permits;
  readonly #acquirable: Pick<Permits, 'acquire'>;
  #waiting = 0;

  /**
   * @param permits how many tasks run at once
   * @param timeout milliseconds that a task waits for its permit at most; without it, as long as it takes
   */
  constructor(permits: number, timeout?: number) {
    this.#permits = new Permits(permits);
    this.#acquirable =
      timeout === undefined
        ? this.#permits
        : withTimeout(
            this.#permits,
            timeout,
            new AcquireTimeoutError('No permit became free in time'),
          );
  }

  /** Whether the next task would have to wait. */
  get isFull(): boolean {
    return this.#permits.isLocked();
  }

  /** How many tasks wait for a permit. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs a task once it has a permit.
   * @param priority among those that wait the highest comes first; equal ones in the order in which they came
   * @throws AcquireTimeoutError when it waited too long; the task was not started
   */
  async run<T>(task: () => Promise<T>, priority = 0): Promise<T> {
    const mustWait = this.isFull;
    if (mustWait) this.#waiting += 1;
    const [, release] = await this.#acquirable.acquire(1, priority).finally(() => {
      if (mustWait) this.#waiting -= 1;
    });
    try {
      return await task();
    } finally {
      release();
    }
  }
}
