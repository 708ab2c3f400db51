// Whose picture is next: a few at once, one of each person or address, the others in the order in which they came.
import { FairSemaphore, GaveUpError } from '#/host/limits/fair-semaphore.ts';
import { KeyedCounter } from '#/host/limits/keyed-counter.ts';
import { busy, gaveUp } from '#/host/storage/errors.ts';

interface ImageQueueOptions {
  width: number;
  /** How many may be under way altogether; a waiting one costs no more than a promise. */
  capacity: number;
  /** How many of them may be one person's. */
  capacityEach: number;
}

export class ImageQueue {
  readonly #capacity: number;
  readonly #permits: FairSemaphore;
  readonly #each: KeyedCounter;
  #count = 0;

  constructor({ width, capacity, capacityEach }: ImageQueueOptions) {
    this.#capacity = capacity;
    this.#permits = new FairSemaphore({ permits: width, each: 1 });
    this.#each = new KeyedCounter(capacityEach);
  }

  /**
   * Runs `work` in its turn.
   * @param who a person's id or an address; null where it is not known who asks, which is not limited
   * @param signal aborted when no caller waits for it any more: from then on it counts no more, and its work is not begun;
   *   work that has begun ends as usual
   * @throws StorageError 429 when too many wait, altogether or of this person; 499 when it was given up
   */
  async run<T>(who: string | null, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#count >= this.#capacity) throw busy('images');
    if (who !== null && !this.#each.tryAcquire(who)) throw busy('images');
    this.#count += 1;
    try {
      return await this.#permits.run(who ?? Symbol('not known'), work, signal);
    } catch (error) {
      throw error instanceof GaveUpError ? gaveUp() : error;
    } finally {
      this.#count -= 1;
      if (who !== null) this.#each.release(who);
    }
  }
}
