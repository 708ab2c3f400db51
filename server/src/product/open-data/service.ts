// GET /open/parks.geojson and /open/parks.csv: the open data of parks, which is generated at most once an hour.
import { LRUCache } from 'lru-cache';
import { encoded } from '#/host/lib/compress.ts';
import { codingFor, isFresh } from '#/host/lib/http-cache.ts';
import type { Database } from '#/host/db/database.ts';
import { json, type Service } from '#/host/lib/http.ts';
import { writeOpenParks, type ParkFormat } from '#/product/open-data/park-files.ts';
import { entityTag } from '#/product/site/app-files.ts';

export const OPEN_DATA_PATH = '/open';

/**
 * The files are generated at most once an hour. If a new fact were published immediately, it would reveal that a user is at the
 * park.
 */
const REWRITE_SECONDS = 3600;

const TYPES: Record<ParkFormat, string> = {
  geojson: 'application/geo+json',
  csv: 'text/csv; charset=utf-8; header=present',
};

interface Written {
  bytes: Buffer;
  tag: string;
  encoded: Partial<Record<'br' | 'gzip', Promise<Buffer>>>;
}

/**
 * Creates the service. Each file is generated once an hour and compressed once per encoding, for any number of requests.
 * @param siteUrl the origin of the parks' pages
 */
export function createOpenDataService({
  database,
  siteUrl,
}: {
  database: Pick<Database, 'pool'>;
  siteUrl: string;
}): Service {
  const files = new LRUCache<ParkFormat, Written>({
    max: Object.keys(TYPES).length,
    ttl: REWRITE_SECONDS * 1000,
    async fetchMethod(format) {
      const bytes = await writeOpenParks(database, siteUrl, format);
      return { bytes, tag: entityTag(bytes), encoded: {} };
    },
  });

  return async function openData(request, { url }) {
    const name = url.pathname.slice(OPEN_DATA_PATH.length);
    const format = (['geojson', 'csv'] as const).find((each) => name === `/parks.${each}`);
    if (!format) return json({ message: 'Not found' }, 404);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return json({ message: 'Method not allowed' }, 405, { allow: 'GET, HEAD' });
    const written = await files.forceFetch(format);
    const headers = new Headers({
      'content-type': TYPES[format],
      'cache-control': `public, max-age=${REWRITE_SECONDS}`,
      // The ETag is weak, because all content codings share it.
      etag: `W/${written.tag}`,
      vary: 'Accept-Encoding',
      'access-control-allow-origin': '*',
      link: '<https://opendatacommons.org/licenses/odbl/1-0/>; rel="license"',
    });
    if (isFresh(request, written.tag)) return new Response(null, { status: 304, headers });
    const coding = codingFor(request);
    if (coding) headers.set('content-encoding', coding);
    const bytes = coding
      ? await (written.encoded[coding] ??= encoded(written.bytes, coding))
      : written.bytes;
    headers.set('content-length', String(bytes.length));
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), { headers });
  };
}
