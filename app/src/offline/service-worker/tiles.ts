// Handles the service worker's requests for images of other origins: map tiles are cached if the site's settings allow it.
import { MAX_TILES } from '#/offline/cache-limits.ts';
import { cachedTile, type TileStore } from '#/offline/tile-cache/tile-cache.ts';
import type { Config } from '#/platform/config-type.ts';

const NAME = 'map-tiles';
/** The size of the cache is checked only after this many tiles, because checking it for each tile takes too long. */
const TIDY_EVERY = 20;
const CACHED_AT = 'x-cached-at';

let sinceTidy = 0;
let settings: Promise<Config['tiles'] | null> | null = null;
/** Origins whose tiles cannot be read with CORS, and so cannot be cached. */
const unreadable = new Set<string>();

async function read(config: Response): Promise<Config['tiles'] | null> {
  const { tiles = null } = (await config.json()) as Partial<Config>;
  // Delete tiles that were cached while the site allowed it.
  if (tiles?.keep !== true) await caches.delete(NAME);
  return tiles;
}

/** Applies the site's current rules for tiles. @param config the response of /config.json */
export async function updateTileRules(config: Response): Promise<void> {
  const learned = read(config);
  settings = learned;
  await learned;
}

/** True if a URL matches the tile template, such as https://tile.example/{z}/{x}/{y}.png. */
export function isTile(url: string, template: string): boolean {
  const pattern = template
    .split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\w-]+');
  return new RegExp(`^${pattern}$`).test(url);
}

/** Thrown with a response that is returned to the page without being cached. */
class NotCached extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super(`The tile server responds with ${response.status}`);
    this.response = response;
  }
}

const store: TileStore = {
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
    if (++sinceTidy % TIDY_EVERY === 0) {
      const all = await cache.keys();
      await Promise.all(all.slice(0, -MAX_TILES).map((oldest) => cache.delete(oldest)));
    }
    // Delete the tiles again if the site has forbidden caching while this one was loading.
    if ((await settings)?.keep !== true) await caches.delete(NAME);
  },
};

/** A tile from the cache, or any other image from the network. @param cachedConfig fetches the site's /config.json */
export async function handleImage(
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

/** @throws {NotCached} if it is not a tile or cannot be read */
async function fetchTile(request: Request): Promise<Blob> {
  let response: Response;
  try {
    // The response to an image request is opaque; a CORS request can be read if the server allows it.
    response = await fetch(request.url, {
      mode: 'cors',
      credentials: 'omit',
      referrer: request.referrer,
      referrerPolicy: request.referrerPolicy,
    });
  } catch {
    const plain = await fetch(request);
    // The server responds to a request without CORS, so the image can be shown but not read.
    unreadable.add(new URL(request.url).origin);
    throw new NotCached(plain);
  }
  if (response.status !== 200) throw new NotCached(response);
  return response.blob();
}
