// A bounded number of tasks at once within this process, shared fairly among those who ask: who has the fewest comes next.

/** Thrown by `FairSemaphore.run` when as many tasks run or wait as may, altogether or of the key. */
export class FullError extends Error {}
/** Thrown by `FairSemaphore.run` when no permit became free in time. */
export class AcquireTimeoutError extends Error {}
/** Thrown by `FairSemaphore.run` when the caller gave up before a permit became free. */
export class AbortedError extends Error {}

interface FairSemaphoreOptions {
  permits: number;
  /** How many of them may be of one key. */
  each: number;
  /** Milliseconds that a task waits for its permit at most; without it, however long that takes. */
  timeout?: number;
  /** How many tasks may run or wait; a waiting one costs no more than a promise. Without it, however many. */
  capacity?: number;
  /** How many of them may be of one key. */
  capacityEach?: number;
}

interface Key {
  running: number;
  /** What begins each task that waits, in the order in which they came. */
  waiting: Set<() => void>;
  /** Where it waits in `#ranks`; null where it has nothing to begin, or may not. */
  rank: number | null;
}

export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  #running = 0;
  #waiting = 0;
  /** Only keys with tasks that run or wait. */
  readonly #keys = new Map<unknown, Key>();
  /** The keys that wait, by how many tasks of theirs run; among equals who came first. */
  readonly #ranks: Map<unknown, Key>[];

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
    this.#ranks = Array.from({ length: options.each }, () => new Map());
  }

  /**
   * Runs a task of a key once there is a permit for it. However many tasks others ask for, a key with none running is the
   * next, after those who came before and have none running either.
   * @param signal aborted when the caller gave up: a task that still waits then is never started
   * @throws FullError, AcquireTimeoutError or AbortedError; the task was not started
   */
  async run<T>(name: unknown, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw new AbortedError('Given up before it began');
    const key = this.#keys.get(name) ?? { running: 0, waiting: new Set(), rank: null };
    const { permits, each, capacity = Infinity, capacityEach = Infinity } = this.#options;
    const isFull = this.#running + this.#waiting >= capacity;
    if (isFull || key.running + key.waiting.size >= capacityEach)
      throw new FullError('Too many run or wait');
    this.#keys.set(name, key);
    if (this.#running < permits && key.running < each) this.#begin(key);
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

  #begin(key: Key): void {
    this.#running += 1;
    key.running += 1;
  }

  /** Puts a key where it belongs after a change. */
  #settle(name: unknown, key: Key): void {
    const mayBegin = key.waiting.size > 0 && key.running < this.#options.each;
    const rank = mayBegin ? key.running : null;
    if (rank !== key.rank) {
      if (key.rank !== null) this.#ranks[key.rank]?.delete(name);
      if (rank !== null) this.#ranks[rank]?.set(name, key);
      key.rank = rank;
    }
    if (key.running === 0 && key.waiting.size === 0) this.#keys.delete(name);
  }

  #beginNext(): void {
    for (const rank of this.#ranks)
      for (const { waiting } of rank.values()) for (const begin of waiting) return begin();
  }
}
