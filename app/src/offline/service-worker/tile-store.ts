// The tiles of the service worker, in the Cache API.
import { MOST_TILES } from '#/offline/limits.ts';
import type { TileStore } from '#/offline/tile-cache.ts';

const NAME = 'map-tiles';
/** Looking through the whole cache at every tile would cost more than it saves. */
const TIDY_EVERY = 20;
const CACHED_AT = 'x-kept-at';

let sinceTidy = 0;

export const workerTiles: TileStore = {
  async get(url) {
    const found = await (await caches.open(NAME)).match(url);
    return (
      found && {
        at: Number(found.headers.get(CACHED_AT)),
        buffer: await found.arrayBuffer(),
        type: found.headers.get('content-type') ?? '',
      }
    );
  },
  async put(url, { at, buffer, type }) {
    const cache = await caches.open(NAME);
    const headers = { 'content-type': type || 'image/png', [CACHED_AT]: String(at) };
    await cache.put(url, new Response(buffer, { headers }));
    if (++sinceTidy % TIDY_EVERY > 0) return;
    const all = await cache.keys();
    await Promise.all(all.slice(0, -MOST_TILES).map((oldest) => cache.delete(oldest)));
  },
};

/** Deletes all of them: the provider allows it no more. */
export const deleteTiles = (): Promise<boolean> => caches.delete(NAME);
