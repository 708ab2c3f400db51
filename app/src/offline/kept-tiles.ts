// The tiles of the site's own map that a person keeps on this device: apart from those that were only seen, for none of them goes by itself.
import { openStore } from '#/offline/device-store.ts';
import type { CachedTile } from '#/offline/tile-cache.ts';

export interface KeptTile extends CachedTile {
  /** Of the map's file that it comes from. */
  version: string;
}

/** By `zoom/column/row`. */
export const keptTiles = () => openStore<KeptTile>('packpark-map', 'tiles');
