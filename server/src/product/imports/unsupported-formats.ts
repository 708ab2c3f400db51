// Detects well-known formats that cannot be imported, and suggests the command that converts them.
import { StartError } from '#/host/lib/start-error.ts';
import type { OpenFile } from '#/product/imports/decode.ts';

const OGR = 'make GeoJSON of it, such as with "ogr2ogr parks.geojson FILE"';
const OSM =
  'make GeoJSON of it, such as with "osmium export", or ask Overpass for JSON (docs/import.md)';

/** Patterns for the first bytes of a file, each as one character. */
const UNSUPPORTED: [begins: RegExp, what: string, instead: string][] = [
  [/^\p{Cc}\x8b/u, 'compressed (gzip)', 'unpack it first, with "gunzip"'],
  [/^.{0,40}OSMHeader/s, "OpenStreetMap's .pbf", OSM],
  [/^PK\p{Cc}{2}.*\.kml/su, 'KMZ', OGR],
  [/^PK\p{Cc}{2}/u, 'an Excel table or another zip file', 'save the table as CSV (UTF-8)'],
  [/^\xd0\xcf\p{Cc}\xe0/u, 'an old Excel table', 'save it as CSV (UTF-8)'],
  [/^SQLite format 3/, 'a GeoPackage or another SQLite file', OGR],
  [/^\p{Cc}{2}'\n/u, 'a shapefile', OGR],
  [/^(\xef\xbb\xbf)?\s*<.*<kml/s, 'KML', OGR],
  [/^(\xef\xbb\xbf)?\s*<(.*<)?osm/s, "OpenStreetMap's XML", OSM],
  [/^(\xef\xbb\xbf)?\s*</, 'XML', OGR],
];
const INSPECTED = 1000;

/** @throws StartError if the file has a well-known format that cannot be imported */
export async function rejectUnsupportedFormat(open: OpenFile): Promise<void> {
  let beginning = '';
  for await (const bytes of open()) {
    beginning += Buffer.from(bytes.subarray(0, INSPECTED)).toString('latin1');
    if (beginning.length >= INSPECTED) break;
  }
  const [, what, instead] = UNSUPPORTED.find(([begins]) => begins.test(beginning)) ?? [];
  if (what !== undefined)
    throw new StartError(`The file is ${what}, which cannot be read: ${instead}.`);
}
