// Whose picture is next: a few at once, one of each person or address, the others in the order in which they came.
import { Semaphore } from '#/host/limits/semaphore.ts';
import { busy } from '#/host/storage/errors.ts';

export interface ImageQueueOptions {
  /** How many at once. */
  width: number;
  /** How many may be under way altogether; a waiting one costs no more than a promise. */
  capacity: number;
  /** How many of them may be one person's. */
  capacityEach: number;
}

export class ImageQueue {
  readonly #options: ImageQueueOptions;
  readonly #permits: Semaphore;
  /** For each person with pictures under way: how many, and the permit that lets one of them into the common queue. */
  readonly #people = new Map<string, { count: number; turn: Semaphore }>();
  #count = 0;

  constructor(options: ImageQueueOptions) {
    this.#options = options;
    this.#permits = new Semaphore(options.width);
  }

  /**
   * Runs `work` in its turn.
   * @param who a person's id or an address; null where it is not known who asks, which limits nobody
   * @throws StorageError 429 when too many wait, altogether or of this person
   */
  async run<T>(who: string | null, work: () => Promise<T>): Promise<T> {
    if (this.#count >= this.#options.capacity) throw busy();
    this.#count += 1;
    try {
      if (who === null) return await this.#permits.run(work);
      return await this.#runOf(who, work);
    } finally {
      this.#count -= 1;
    }
  }

  async #runOf<T>(who: string, work: () => Promise<T>): Promise<T> {
    const person = this.#people.get(who) ?? { count: 0, turn: new Semaphore(1) };
    if (person.count >= this.#options.capacityEach) throw busy();
    this.#people.set(who, person);
    person.count += 1;
    try {
      return await person.turn.run(() => this.#permits.run(work));
    } finally {
      person.count -= 1;
      if (person.count === 0) this.#people.delete(who);
    }
  }
}
