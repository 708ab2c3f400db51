// Cache of map tiles that were on screen. Tiles are never fetched in advance.
import { TILE_FRESH_MS, TILE_MAX_AGE_MS } from '#/offline/cache-limits.ts';

/** A tile as bytes instead of a Blob, because older web views lose Blobs. */
export interface CachedTile {
  /** Milliseconds since the epoch. */
  at: number;
  buffer: ArrayBuffer;
  type: string;
}

/**
 * A store for at most `MAX_TILES` tiles. There are two: the service worker uses the Cache API, which stores whole responses and
 * needs no code of the app (service-worker/tiles.ts). Native apps have no service worker, so their page uses IndexedDB, which every
 * web view supports at capacitor://localhost (indexeddb-tiles.ts).
 */
export interface TileStore {
  get: (url: string) => Promise<CachedTile | undefined>;
  put: (url: string, tile: CachedTile) => Promise<void>;
}

const pictureOf = ({ buffer, type }: CachedTile) => new Blob([buffer], { type });

/** A tile from the cache while it is fresh or if the network fails. @throws the error of `fetchTile` if nothing is cached */
export async function cachedTile(
  url: string,
  { store, fetchTile, now }: { store: TileStore; fetchTile: () => Promise<Blob>; now: number },
): Promise<Blob> {
  const found = await store.get(url).catch(() => undefined);
  const age = found ? Math.abs(now - found.at) : Infinity;
  if (found && age < TILE_FRESH_MS) return pictureOf(found);
  try {
    const image = await fetchTile();
    const { type } = image;
    // A full disk must not prevent the tile from being shown.
    await store
      .put(url, { at: now, buffer: await image.arrayBuffer(), type })
      .catch((error: unknown) => console.warn('No more tiles can be cached:', error));
    return image;
  } catch (error) {
    if (found && age < TILE_MAX_AGE_MS) return pictureOf(found);
    throw error;
  }
}
