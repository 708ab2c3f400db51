// The list of parks kept on a device that has no service worker for it: shown at once, renewed behind it.
import { createStore, get, set } from 'idb-keyval';

const store = createStore('packpark-lists', 'files');

/**
 * What was kept of this address, or where nothing is, what `fetchNow` gives; that is kept for the next time in both cases.
 * @throws what `fetchNow` throws, where nothing was kept
 */
export async function heldThenRenewed(
  url: string,
  fetchNow: () => Promise<unknown>,
): Promise<unknown> {
  const held: unknown = await get(url, store).catch(() => undefined);
  const fresh = fetchNow().then(async (list) => {
    await set(url, list, store).catch((error: unknown) =>
      console.warn('The list cannot be kept:', error),
    );
    return list;
  });
  if (held === undefined) return fresh;
  fresh.catch(() => undefined);
  return held;
}
