// The list of parks on a device whose shell has no service worker for it: read from IndexedDB, renewed behind it.
import { openStore } from '#/offline/device-store.ts';
import { staleWhileRevalidate } from '#/offline/stale-while-revalidate.ts';

const store = openStore<unknown>('packpark-lists', 'files');

/** What `fetchNow` gives is cached for the next time. @throws what it throws, where nothing is cached */
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
