// What a shell does about tiles, which has no service worker for it: those that were on the screen stay, few and not for long.
import { createStore, delMany, get, set, update } from 'idb-keyval';

// The worker's own numbers and reasons (sw/tiles.ts), which shares no file with the app.
const MOST = 400;
export const FRESH_MS = 7 * 24 * 60 * 60 * 1000;
export const OLDEST_MS = 30 * 24 * 60 * 60 * 1000;

/** Bytes and not a Blob: older web views lose those. */
interface KeptTile {
  /** Milliseconds since the epoch. */
  at: number;
  buffer: ArrayBuffer;
  type: string;
}

export interface TileStore {
  get(url: string): Promise<KeptTile | undefined>;
  put(url: string, tile: KeptTile): Promise<void>;
}

/**
 * A tile's picture: from this device while it is fresh, or where the network has none; what is fetched is kept. None is ever
 * fetched ahead.
 * @param now milliseconds since the epoch
 * @throws what `fetchTile` throws, where nothing is kept
 */
export async function tilePicture(
  url: string,
  { store, fetchTile, now }: { store: TileStore; fetchTile: () => Promise<Blob>; now: number },
): Promise<Blob> {
  const held = await store.get(url).catch(() => undefined);
  const age = held ? Math.abs(now - held.at) : Infinity;
  const kept = held && new Blob([held.buffer], { type: held.type });
  if (kept && age < FRESH_MS) return kept;
  try {
    const picture = await fetchTile();
    const { type } = picture;
    // A full disk is no reason to show no tile.
    await store
      .put(url, { at: now, buffer: await picture.arrayBuffer(), type })
      .catch((error: unknown) => console.warn('No more tiles can be kept:', error));
    return picture;
  } catch (error) {
    if (kept && age < OLDEST_MS) return kept;
    throw error;
  }
}

/** The device's own, with at most 400 tiles: the oldest go first. */
export function deviceTiles(): TileStore {
  const tiles = createStore('packpark-tiles', 'tiles');
  const order = createStore('packpark-tiles-order', 'urls');
  return {
    get: (url) => get<KeptTile>(url, tiles),
    async put(url, tile) {
      await set(url, tile, tiles);
      let gone: string[] = [];
      await update<string[]>(
        'urls',
        (urls = []) => {
          const all = [...urls.filter((other) => other !== url), url];
          gone = all.slice(0, -MOST);
          return all.slice(-MOST);
        },
        order,
      );
      if (gone.length > 0) await delMany(gone, tiles);
    },
  };
}

/** Forgets all of them: the provider allows it no more. */
export async function forgetTiles(): Promise<void> {
  for (const name of ['packpark-tiles', 'packpark-tiles-order'])
    await new Promise<void>((resolve) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = request.onerror = request.onblocked = () => resolve();
    });
}
