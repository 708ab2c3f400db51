// A token bucket in this process. Its capacity is the tokens of one second.

export class TokenBucket {
  readonly #perSecond: number;
  #tokens: number;
  #refilledAt = performance.now();

  /** @param perSecond the number of tokens added each second, which is also the capacity; the bucket starts full */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
  }

  /** Takes tokens, by default one. Returns false and takes none if there are too few. */
  tryTake(count = 1): boolean {
    const now = performance.now();
    const refill = ((now - this.#refilledAt) * this.#perSecond) / 1000;
    this.#tokens = Math.min(this.#perSecond, this.#tokens + refill);
    this.#refilledAt = now;
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }

  /** Milliseconds from the last `tryTake` until a token is available. */
  get delay(): number {
    return Math.max(0, Math.ceil(((1 - this.#tokens) * 1000) / this.#perSecond));
  }
}
