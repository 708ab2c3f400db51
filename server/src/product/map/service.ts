// Serves ranges of the map file (/map.pmtiles) to browsers, native shells and other sites.
import { LRUCache } from 'lru-cache';
import { ipSubject } from '#/host/lib/ip-addresses.ts';
import { readByteRange } from '#/host/lib/byte-range.ts';
import { isFresh } from '#/host/lib/http-cache.ts';
import { json, type Service } from '#/host/lib/http.ts';
import { TokenBucket } from '#/host/limits/token-bucket.ts';
import { StoreUnavailableError } from '#/host/storage/blob-store.ts';
import type { MapFile, ServedMap } from '#/product/map/map-file.ts';

export const MAP_PATH = '/map.pmtiles';

/**
 * Maximum size of a requested range. A tile has at most 500 KB. Without the limit, a response could contain the whole file and fill
 * the memory.
 */
export const MAX_RANGE_BYTES = 2 ** 20;

/** Units per second and IP address, enough for all tiles of a screen, or for downloading 8 MB/s. */
const UNITS_PER_SECOND = 128;
const UNIT_BYTES = 64 * 1024;
const MAX_ADDRESSES = 10_000;

/** Any origin may read the map, because the native shells have their own origin and the map contains no personal data. */
const SHARED = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Range, ETag',
};

const PREFLIGHT = {
  ...SHARED,
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'Range, If-Match, If-None-Match',
  'access-control-max-age': '86400',
};

const reject = (status: number, message: string, headers: HeadersInit = {}): Response =>
  json({ message }, status, { ...SHARED, 'cache-control': 'no-store', ...headers });

/** Returns the URL of a site's map. It contains the version, so that caches never return an old map. */
export const mapUrl = (origin: string, { version }: ServedMap): string =>
  `${origin}${MAP_PATH}?v=${version}`;

/** Returns true if the request is conditional and specifies another version than the current one. */
function isOther(request: Request, etag: string): boolean {
  const versions = request.headers.get('if-match') ?? request.headers.get('if-range');
  return versions !== null && versions !== '*' && versions !== etag;
}

function headersOf(request: Request, { version, modified }: ServedMap): Headers {
  const named = new URL(request.url).searchParams.get('v') === version;
  return new Headers({
    ...SHARED,
    'accept-ranges': 'bytes',
    'cache-control': named ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-type': 'application/vnd.pmtiles',
    'last-modified': modified.toUTCString(),
    etag: `"${version}"`,
  });
}

/** @param map null if MAP_FILE is not set */
export function createMapService(map: MapFile | null): Service {
  const used = new LRUCache<string, TokenBucket>({ max: MAX_ADDRESSES });

  function mayTake(ip: string, bytes: number): boolean {
    const subject = ipSubject(ip);
    let bucket = used.get(subject);
    if (!bucket) used.set(subject, (bucket = new TokenBucket(UNITS_PER_SECOND)));
    return bucket.tryTake(1 + Math.floor(bytes / UNIT_BYTES));
  }

  /** Returns null if the file was replaced during the request. */
  async function respond(request: Request, ip: string, file: MapFile): Promise<Response | null> {
    const served = await file.current();
    if (!served) return reject(503, 'The map cannot be read right now', { 'retry-after': '60' });
    const headers = headersOf(request, served);
    const etag = headers.get('etag') ?? '';
    if (isFresh(request, etag)) return new Response(null, { status: 304, headers });
    if (isOther(request, etag)) return reject(412, 'This map was replaced by a newer one');
    if (request.method === 'HEAD') {
      headers.set('content-length', String(served.size));
      return new Response(null, { headers });
    }
    const range = readByteRange(request.headers.get('range'), served.size);
    if (range === 'unsatisfiable')
      return reject(416, 'This range is outside the map', {
        'content-range': `bytes */${served.size}`,
      });
    const length = range ? range.end - range.start + 1 : Infinity;
    if (!range || length > MAX_RANGE_BYTES)
      return reject(400, `Request one range of at most ${MAX_RANGE_BYTES} bytes`);
    if (!mayTake(ip, length))
      return reject(429, 'Too many requests for the map', { 'retry-after': '1' });
    const bytes = await file.read(served, range);
    if (!bytes) return null;
    headers.set('content-range', `bytes ${range.start}-${range.end}/${served.size}`);
    headers.set('content-length', String(length));
    return new Response(bytes, { status: 206, headers });
  }

  return async function serveMap(request, { ip, url }) {
    if (!map || url.pathname !== MAP_PATH) return reject(404, 'Not found');
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: PREFLIGHT });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reject(405, 'Method not allowed', { allow: 'GET, HEAD, OPTIONS' });
    try {
      // If the file was replaced during the request, the request is repeated once. The ETag shows the client that the file has
      // changed.
      return (
        (await respond(request, ip, map)) ??
        (await respond(request, ip, map)) ??
        reject(503, 'The map is being replaced', { 'retry-after': '1' })
      );
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return reject(503, 'The map cannot be read right now', { 'retry-after': '5' });
    }
  };
}
