// Tile cache of native apps, which have no service worker: IndexedDB, evicting the oldest tiles first.
import { openStore } from '#/offline/device-store.ts';
import { MAX_TILES } from '#/offline/cache-limits.ts';
import type { CachedTile, TileStore } from '#/offline/tile-cache/tile-cache.ts';

const NAMES = ['packpark-tiles', 'packpark-tiles-order'] as const;

export function indexedDbTiles(): TileStore {
  const tiles = openStore<CachedTile>(NAMES[0], 'tiles');
  const order = openStore<string[]>(NAMES[1], 'urls');
  return {
    get: tiles.get,
    async put(url, tile) {
      await tiles.set(url, tile);
      let gone: string[] = [];
      await order.update('urls', (urls = []) => {
        const all = [...urls.filter((other) => other !== url), url];
        gone = all.slice(0, -MAX_TILES);
        return all.slice(-MAX_TILES);
      });
      if (gone.length > 0) await tiles.delete(...gone);
    },
  };
}

/** Deletes all tiles when the provider no longer allows caching. */
export async function deleteTiles(): Promise<void> {
  for (const name of NAMES)
    await new Promise<void>((resolve) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = request.onerror = request.onblocked = () => resolve();
    });
}
