// Limits the concurrent tasks of this process. Permits are distributed fairly: the key with the fewest running tasks is next, and
// heavy keys come after all others.

/** Thrown by `FairSemaphore.run` if the maximum of running and waiting tasks is reached, in total or for the key. */
export class FullError extends Error {}
/** Thrown by `FairSemaphore.run` if no permit became free in time. */
export class AcquireTimeoutError extends Error {}
/** Thrown by `FairSemaphore.run` if the caller aborted before a permit became free. */
export class AbortedError extends Error {}

interface FairSemaphoreOptions {
  permits: number;
  each: number;
  /** Maximum milliseconds that a task waits; unlimited by default. */
  timeout?: number;
  /** Maximum of running and waiting tasks; unlimited by default, because a waiting task costs little memory. */
  capacity?: number;
  capacityEach?: number;
  /** Returns true if other keys precede this one, which has this number of running and waiting tasks. By default, no key is heavy. */
  isHeavy?: (name: unknown, tasks: number) => boolean;
  /** Number of permits that heavy keys leave free; none by default. */
  reserved?: number;
}

interface Key {
  running: number;
  /** Callbacks that start the waiting tasks, in order of arrival. */
  waiting: Set<() => void>;
  /** Index in `#ranks`; null if no task of this key waits or none may start. */
  rank: number | null;
}

export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  #running = 0;
  #waiting = 0;
  /** Contains only keys with running or waiting tasks. */
  readonly #keys = new Map<unknown, Key>();
  /**
   * Keys with waiting tasks, grouped by their number of running tasks and ordered by arrival. Heavy keys are in the second half.
   */
  readonly #ranks: Map<unknown, Key>[];

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
    this.#ranks = Array.from({ length: 2 * options.each }, () => new Map());
  }

  /**
   * Runs a task of a key as soon as a permit is free. A key without running tasks is next, regardless of the queues of other keys;
   * several such keys are served in order of arrival. Heavy keys wait until no other key waits.
   * @param signal if it is aborted, a waiting task is never started
   * @throws FullError, AcquireTimeoutError or AbortedError; the task was not started
   */
  async run<T>(name: unknown, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw new AbortedError('Given up before it began');
    const key = this.#keys.get(name) ?? { running: 0, waiting: new Set(), rank: null };
    const { each, capacity = Infinity, capacityEach = Infinity } = this.#options;
    const isFull = this.#running + this.#waiting >= capacity;
    if (isFull || key.running + key.waiting.size >= capacityEach)
      throw new FullError('Too many run or wait');
    this.#keys.set(name, key);
    if (this.#hasPermitFor(name, key) && key.running < each) this.#begin(key);
    else await this.#wait(name, key, signal);
    try {
      return await task();
    } finally {
      this.#running -= 1;
      key.running -= 1;
      this.#settle(name, key);
      this.#beginNext();
    }
  }

  #wait(name: unknown, key: Key, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        key.waiting.delete(begin);
        this.#waiting -= 1;
      };
      const begin = () => {
        leave();
        this.#begin(key);
        this.#settle(name, key);
        resolve();
      };
      const fail = (error: Error) => {
        leave();
        this.#settle(name, key);
        reject(error);
      };
      const abort = () => fail(new AbortedError('Aborted while waiting'));
      const { timeout } = this.#options;
      const endWait = () => fail(new AcquireTimeoutError('No permit became free in time'));
      const timer = timeout === undefined ? undefined : setTimeout(endWait, timeout);
      signal?.addEventListener('abort', abort, { once: true });
      key.waiting.add(begin);
      this.#waiting += 1;
      this.#settle(name, key);
    });
  }

  #isHeavy(name: unknown, { running, waiting }: Key): boolean {
    return this.#options.isHeavy?.(name, running + waiting.size) ?? false;
  }

  #hasPermitFor(name: unknown, key: Key): boolean {
    const { permits, reserved = 0 } = this.#options;
    return this.#running < (this.#isHeavy(name, key) ? permits - reserved : permits);
  }

  #begin(key: Key): void {
    this.#running += 1;
    key.running += 1;
  }

  /** Updates `#ranks` and `#keys` after the tasks of a key changed. */
  #settle(name: unknown, key: Key): void {
    const { each } = this.#options;
    const mayBegin = key.waiting.size > 0 && key.running < each;
    const rank = mayBegin ? key.running + (this.#isHeavy(name, key) ? each : 0) : null;
    if (rank !== key.rank) {
      if (key.rank !== null) this.#ranks[key.rank]?.delete(name);
      if (rank !== null) this.#ranks[rank]?.set(name, key);
      key.rank = rank;
    }
    if (key.running === 0 && key.waiting.size === 0) this.#keys.delete(name);
  }

  #beginNext(): void {
    for (const rank of this.#ranks)
      for (const [name, key] of rank)
        for (const begin of key.waiting) {
          // The other waiting keys are heavy, too.
          if (this.#hasPermitFor(name, key)) begin();
          return;
        }
  }
}
