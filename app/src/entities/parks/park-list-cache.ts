// Caches the list of parks in IndexedDB on native apps without a service worker (stale-while-revalidate).
import { openStore } from '#/offline/device-store.ts';
import { staleWhileRevalidate } from '#/offline/stale-while-revalidate.ts';

const store = openStore<unknown>('packpark-lists', 'files');

/** Stores the result of `fetchNow` for the next call. @throws its error if nothing is cached */
export const cachedList = (url: string, fetchNow: () => Promise<unknown>): Promise<unknown> =>
  staleWhileRevalidate(
    () => store.get(url),
    async () => {
      const list = await fetchNow();
      await store
        .set(url, list)
        .catch((error: unknown) => console.warn('The list cannot be cached:', error));
      return list;
    },
  );
