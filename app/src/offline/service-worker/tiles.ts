// Map tiles that were on the screen stay on this device, few and not for long; none is ever fetched ahead.

const TILES = 'map-tiles';
/** A few neighbourhoods at the zoom where parks are looked for. */
const MOST = 400;
/** OpenStreetMap asks to keep a tile for seven days at least; within them nobody is asked again. */
const FRESH_MS = 7 * 24 * 60 * 60 * 1000;
/** Without a network an older one is better than none, up to here. */
const OLDEST_MS = 30 * 24 * 60 * 60 * 1000;
/** Looking through the whole cache at every tile would cost more than it saves. */
const TIDY_EVERY = 20;
const KEPT_AT = 'x-kept-at';

interface TileSettings {
  url: string;
  keep?: boolean;
}

let settings: Promise<TileSettings | null> | null = null;
let sinceTidy = 0;
/** Servers that do not let us read their tiles: what cannot be read is not kept. */
const closed = new Set<string>();

async function read(config: Response): Promise<TileSettings | null> {
  const { tiles = null } = (await config.json()) as { tiles?: TileSettings };
  // Keeping may have been allowed once.
  if (tiles?.keep !== true) await caches.delete(TILES);
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

/**
 * Answers for a picture of another site: a tile from here where we have it, everything else as ever.
 * @param heldConfig gives the site's /config.json, as this device has it
 */
export async function picture(
  request: Request,
  heldConfig: () => Promise<Response>,
): Promise<Response> {
  settings ??= heldConfig().then(read);
  const tiles = await settings.catch(() => null);
  const mayKeep = tiles?.keep === true && isTile(request.url, tiles.url);
  if (!mayKeep || closed.has(new URL(request.url).origin)) return fetch(request);
  const cache = await caches.open(TILES);
  const held = await cache.match(request.url);
  const age = held ? Math.abs(Date.now() - Number(held.headers.get(KEPT_AT))) : Infinity;
  if (held && age < FRESH_MS) return held;
  try {
    return await fetchTile(request, cache);
  } catch (error) {
    if (held && age < OLDEST_MS) return held;
    throw error;
  }
}

async function fetchTile(request: Request, cache: Cache): Promise<Response> {
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
    closed.add(new URL(request.url).origin);
    return plain;
  }
  if (response.status === 200) await keep(request.url, response.clone(), cache);
  return response;
}

/** A full disk is no reason to show no tile. */
async function keep(address: string, response: Response, cache: Cache): Promise<void> {
  try {
    const headers = {
      'content-type': response.headers.get('content-type') ?? 'image/png',
      [KEPT_AT]: String(Date.now()),
    };
    await cache.put(address, new Response(await response.blob(), { headers }));
    if (++sinceTidy % TIDY_EVERY > 0) return;
    const all = await cache.keys();
    await Promise.all(all.slice(0, -MOST).map((oldest) => cache.delete(oldest)));
  } catch (error) {
    console.warn('No more tiles can be kept:', error);
  }
}
