// Caches the list of parks in IndexedDB on native apps without a service worker (stale-while-revalidate).
import { openStore } from '#/offline/device-store.ts';
import { staleWhileRevalidate } from '#/offline/stale-while-revalidate.ts';

const store = openStore<unknown>('packpark-lists', 'files');

/** Stores the result of `fetchNow` for the next call. @throws the error of `fetchNow` if nothing is cached */
export const cachedList = <List>(url: string, fetchNow: () => Promise<List>): Promise<List> =>
  staleWhileRevalidate(
    () => store.get(url) as Promise<List | undefined>,
    async () => {
      const list = await fetchNow();
      await store
        .set(url, list)
        .catch((error: unknown) => console.warn('The list cannot be cached:', error));
      return list;
    },
  );
