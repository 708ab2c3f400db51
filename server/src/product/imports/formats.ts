// Reads a file of parks, whatever its kind: OpenStreetMap's Overpass JSON, GeoJSON, or CSV with a header.
import { readCsv } from '#/product/imports/csv.ts';
import { beginning } from '#/product/imports/decode.ts';
import {
  fromGeoJson,
  fromOsmElement,
  type Feature,
  type GeoFeature,
  type OsmElement,
} from '#/product/imports/features.ts';
import { openJsonRows } from '#/product/imports/json-rows.ts';
import { StartError } from '#/host/lib/start-error.ts';

export interface ParkFile {
  rows: AsyncIterable<unknown>;
  /** What a row says; null where it is only a part of another one. Throws Error that says what is wrong with the row. */
  feature(row: unknown): Feature | null;
  /** Whether its rows have a header, in which any name may stand. */
  isTable?: true;
  /** Whether every thing in it carries the tags that say what it is. */
  tagged?: true;
  /** The day (YYYY-MM-DD) of its data, where it says so before its rows. */
  sourceDate?: string | undefined;
}

/** `text`: from its beginning, in pieces. Throws StartError when it is none of the three kinds, also while its rows are read. */
export async function readParkFile(text: AsyncIterable<string>): Promise<ParkFile> {
  const { head, whole } = await beginning(text, /\S/);
  if (!/^\s*[{[]/.test(head))
    return {
      rows: readCsv(whole),
      feature: (values) => ({ values: values as Feature['values'] }),
      isTable: true,
    };
  const json = await openJsonRows(whole, ['elements', 'features']);
  if (json === null)
    throw new StartError(
      'The file is neither Overpass JSON (with "elements"), nor GeoJSON (with "features"), nor CSV.',
    );
  const { name, before, rows } = json;
  if (name === 'features') return { rows, feature: (row) => fromGeoJson(row as GeoFeature | null) };
  const date = (before.osm3s as { timestamp_osm_base?: unknown } | undefined)?.timestamp_osm_base;
  return {
    rows,
    feature: (row) => fromOsmElement(row as OsmElement | null),
    tagged: true,
    sourceDate: typeof date === 'string' ? date.slice(0, 10) : undefined,
  };
}
