// Tiles of the offline map. Unlike tiles in the cache, they are never deleted automatically.
import { openStore } from '#/offline/device-store.ts';
import type { CachedTile } from '#/offline/tile-cache/tile-cache.ts';

export interface OfflineMapTile extends CachedTile {
  /** Version of the map file that the tile comes from. */
  version: string;
}

/** Keys are `zoom/column/row`. */
export const offlineMapTiles = () => openStore<OfflineMapTile>('packpark-map', 'tiles');
