// Rate-limits messages to one client. Up to `perSecond` messages are sent immediately, and more are queued. If the
// queue is full, `onOverflow` is called.
import { TokenBucket } from '#/host/limits/token-bucket.ts';

interface RateLimitedQueueOptions<T> {
  perSecond: number;
  capacity: number;
  send(item: T): void;
  /** Called if the queue is full; it has been cleared. */
  onOverflow(): void;
}

export class RateLimitedQueue<T> {
  readonly #options: RateLimitedQueueOptions<T>;
  readonly #bucket: TokenBucket;
  readonly #queue: T[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RateLimitedQueueOptions<T>) {
    this.#options = options;
    this.#bucket = new TokenBucket(options.perSecond);
  }

  /** Sends a message immediately if the rate allows it and the queue is empty, otherwise later. */
  push(item: T): void {
    const { capacity, send, onOverflow } = this.#options;
    if (this.#queue.length === 0 && this.#bucket.tryTake()) return send(item);
    if (this.#queue.length >= capacity) {
      this.stop();
      return onOverflow();
    }
    this.#queue.push(item);
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queue.length = 0;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#drain(), this.#bucket.delay).unref();
  }

  #drain(): void {
    this.#timer = undefined;
    while (this.#queue.length > 0 && this.#bucket.tryTake())
      this.#options.send(this.#queue.shift() as T);
    if (this.#queue.length > 0) this.#schedule();
  }
}
