// How many pictures are worked on at once, and which comes first: uploads, then the smaller copies that anybody may ask for.
import { KeyedCounter } from '#/host/limits/keyed-counter.ts';
import { Semaphore } from '#/host/limits/semaphore.ts';
import { busy } from '#/host/storage/errors.ts';

/** A waiting request costs no more than a promise. */
const MAX_WAITING = { uploads: 500, copies: 200 };
/** Copies that one address may wait for: a page shows some dozens of pictures. */
const MAX_COPIES_PER_ADDRESS = 50;

export interface ImageQueue {
  /** @throws StorageError 429 when too many uploads wait */
  upload<T>(work: () => Promise<T>): Promise<T>;
  /**
   * @param address that asks, or null where it is not known
   * @throws StorageError 429 when too many copies wait, or too many for this address
   */
  copy<T>(address: string | null, work: () => Promise<T>): Promise<T>;
}

/** @param width how many at once: each takes a core and tens of megabytes, and other requests must go on */
export function createImageQueue(width: number): ImageQueue {
  const permits = new Semaphore(width);
  const waiting = { uploads: 0, copies: 0 };
  const copiesByAddress = new KeyedCounter(MAX_COPIES_PER_ADDRESS);

  async function run<T>(
    kind: keyof typeof waiting,
    priority: number,
    work: () => Promise<T>,
  ): Promise<T> {
    if (!permits.isFull) return permits.run(work, priority);
    if (waiting[kind] >= MAX_WAITING[kind]) throw busy();
    waiting[kind] += 1;
    return permits.run(() => {
      waiting[kind] -= 1;
      return work();
    }, priority);
  }

  return {
    upload: (work) => run('uploads', 1, work),
    async copy(address, work) {
      if (address !== null && !copiesByAddress.tryAcquire(address)) throw busy();
      try {
        return await run('copies', 0, work);
      } finally {
        if (address !== null) copiesByAddress.release(address);
      }
    },
  };
}
