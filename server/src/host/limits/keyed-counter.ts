// How many of something each key has at once within this process, so that nobody has all of them.

export class KeyedCounter {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  /** @param limit the most that one key may have at once */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts one more; false, and nothing is counted, where the key has as many as it may. */
  tryAcquire(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#limit) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  /** Counts one less. To be called once for each successful `tryAcquire`. */
  release(key: string): void {
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
  }
}
