// Answers of the service worker for pictures of other sites: a map tile from this device where the site's settings allow it.
import { cachedTile, type TileStore } from '#/offline/tile-cache.ts';
import { deleteTiles, workerTiles } from '#/offline/service-worker/tile-store.ts';

interface TileSettings {
  url: string;
  keep?: boolean;
}

let settings: Promise<TileSettings | null> | null = null;
/** Servers that do not let us read their tiles: what cannot be read is not cached. */
const unreadable = new Set<string>();

async function read(config: Response): Promise<TileSettings | null> {
  const { tiles = null } = (await config.json()) as { tiles?: TileSettings };
  // Caching may have been allowed once.
  if (tiles?.keep !== true) await deleteTiles();
  return tiles;
}

/** What the site says of its tiles now counts at once. @param config its /config.json */
export async function learnTileRules(config: Response): Promise<void> {
  const learned = read(config);
  settings = learned;
  await learned;
}

/** Whether an address is one of the tiles' template, such as https://tile.example/{z}/{x}/{y}.png. */
export function isTile(address: string, template: string): boolean {
  const pattern = template
    .split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\w-]+');
  return new RegExp(`^${pattern}$`).test(address);
}

/** An answer that is shown as it came, and never cached. */
class NotCached extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super(`The tile's server answers ${response.status}`);
    this.response = response;
  }
}

/** A tile may come when the site has forbidden caching meanwhile. */
const store: TileStore = {
  ...workerTiles,
  async put(url, tile) {
    await workerTiles.put(url, tile);
    if ((await settings)?.keep !== true) await deleteTiles();
  },
};

/** A tile from here where we have it, all else as ever. @param cachedConfig gives the site's /config.json */
export async function picture(
  request: Request,
  cachedConfig: () => Promise<Response>,
): Promise<Response> {
  settings ??= cachedConfig().then(read);
  const tiles = await settings.catch(() => null);
  const mayCache = tiles?.keep === true && isTile(request.url, tiles.url);
  if (!mayCache || unreadable.has(new URL(request.url).origin)) return fetch(request);
  try {
    const fetchNow = () => fetchTile(request);
    const options = { store, fetchTile: fetchNow, now: Date.now() };
    return new Response(await cachedTile(request.url, options));
  } catch (error) {
    if (error instanceof NotCached) return error.response;
    throw error;
  }
}

/** @throws {NotCached} for what is no tile, or cannot be read */
async function fetchTile(request: Request): Promise<Blob> {
  let response: Response;
  try {
    // A picture's own request may not be read; the same one with CORS may, where the server allows it.
    response = await fetch(request.url, {
      mode: 'cors',
      credentials: 'omit',
      referrer: request.referrer,
      referrerPolicy: request.referrerPolicy,
    });
  } catch {
    const plain = await fetch(request);
    // It answers a plain request, so that it was the reading that failed.
    unreadable.add(new URL(request.url).origin);
    throw new NotCached(plain);
  }
  if (response.status !== 200) throw new NotCached(response);
  return response.blob();
}
