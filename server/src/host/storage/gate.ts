// How many pictures are worked on at once, and who comes first: what somebody uploads, then copies that anybody asks for.
import { createPlaces } from '#/host/lib/places.ts';
import { busy } from '#/host/storage/errors.ts';

/** Who waits holds nothing but a promise. */
const MOST_WAITING = { uploads: 500, copies: 200 };
/** Copies that one address may wait for: a page shows some dozens of pictures. */
const MOST_COPIES_EACH = 50;

export interface Gate {
  /** @throws StorageError 429 when too many wait */
  upload<T>(work: () => Promise<T>): Promise<T>;
  /**
   * @param who the address that asks, or null where it is not known
   * @throws StorageError 429 when too many wait, or too many for this address
   */
  copy<T>(who: string | null, work: () => Promise<T>): Promise<T>;
}

/** @param width how many at once: each takes a core and tens of megabytes, and requests of others must go on */
export function createGate(width: number): Gate {
  let running = 0;
  const uploads: (() => void)[] = [];
  const copies: (() => void)[] = [];
  const places = createPlaces(MOST_COPIES_EACH);

  async function through<T>(
    queue: (() => void)[],
    most: number,
    work: () => Promise<T>,
  ): Promise<T> {
    if (running >= width) {
      if (queue.length >= most) throw busy();
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // Whoever is next takes over the place, so that nobody can slip in between.
      const next = uploads.shift() ?? copies.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    upload: (work) => through(uploads, MOST_WAITING.uploads, work),
    async copy(who, work) {
      if (who !== null && !places.take(who)) throw busy();
      try {
        return await through(copies, MOST_WAITING.copies, work);
      } finally {
        if (who !== null) places.free(who);
      }
    },
  };
}
