// A bounded number of tasks of each key at once within this process; the others of that key wait in order.
import { Semaphore } from '#/host/limits/semaphore.ts';

export class KeyedSemaphore {
  readonly #permits: number;
  /** Only keys with tasks that run or wait. */
  readonly #keys = new Map<string, { tasks: number; semaphore: Semaphore }>();

  /** @param permits how many tasks of one key run at once */
  constructor(permits: number) {
    this.#permits = permits;
  }

  /** Runs a task once its key has a permit for it. `signal`: aborted when the caller gave up. Throws GaveUpError as a semaphore does. */
  async run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const own = this.#keys.get(key) ?? { tasks: 0, semaphore: new Semaphore(this.#permits) };
    this.#keys.set(key, own);
    own.tasks += 1;
    try {
      return await own.semaphore.run(task, signal);
    } finally {
      own.tasks -= 1;
      if (own.tasks === 0) this.#keys.delete(key);
    }
  }
}
