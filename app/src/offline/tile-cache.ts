// Map tiles that were on the screen stay on this device, few and not for long; none is ever fetched ahead.
import { TILE_FRESH_MS, TILE_MAX_AGE_MS } from '#/offline/limits.ts';

/** Bytes and not a Blob: older web views lose those. */
export interface CachedTile {
  /** Milliseconds since the epoch. */
  at: number;
  buffer: ArrayBuffer;
  type: string;
}

/**
 * Where tiles lie, at most `MOST_TILES`. There are two: the service worker's is the Cache API, which holds whole answers and
 * needs no code of the app (service-worker/tiles.ts); a shell has no service worker, and its page stores in IndexedDB,
 * which every web view gives also to pages of capacitor://localhost (device-tiles.ts).
 */
export interface TileStore {
  get: (url: string) => Promise<CachedTile | undefined>;
  put: (url: string, tile: CachedTile) => Promise<void>;
}

const pictureOf = ({ buffer, type }: CachedTile) => new Blob([buffer], { type });

/** From this device while it is fresh, or where the network has none. @throws what `fetchTile` throws, where nothing is cached */
export async function cachedTile(
  url: string,
  { store, fetchTile, now }: { store: TileStore; fetchTile: () => Promise<Blob>; now: number },
): Promise<Blob> {
  const found = await store.get(url).catch(() => undefined);
  const age = found ? Math.abs(now - found.at) : Infinity;
  if (found && age < TILE_FRESH_MS) return pictureOf(found);
  try {
    const picture = await fetchTile();
    const { type } = picture;
    // A full disk is no reason to show no tile.
    await store
      .put(url, { at: now, buffer: await picture.arrayBuffer(), type })
      .catch((error: unknown) => console.warn('No more tiles can be cached:', error));
    return picture;
  } catch (error) {
    if (found && age < TILE_MAX_AGE_MS) return pictureOf(found);
    throw error;
  }
}
