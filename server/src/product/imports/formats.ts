// Reads a file of parks, whatever its kind: OpenStreetMap's Overpass JSON, GeoJSON, or CSV with a header.
import { readCsv } from '#/product/imports/csv.ts';
import {
  fromGeoJson,
  fromOsmElement,
  type Feature,
  type GeoFeature,
  type OsmElement,
} from '#/product/imports/features.ts';
import { StartError } from '#/host/lib/start-error.ts';

export interface ParkFile {
  /** How many rows it has, in its order. */
  length: number;
  /**
   * Reads one row, from 0; null where it is only a part of another one.
   * @throws Error that says what is wrong with the row
   */
  feature(index: number): Feature | null;
  /** Whether every thing in it carries the tags that say what it is. */
  tagged: boolean;
  /** The day (YYYY-MM-DD) of its data, where it says so. */
  sourceDate: string | undefined;
}

function fileOf<Row>(
  rows: Row[],
  read: (row: Row) => Feature | null,
  { tagged = false, sourceDate }: { tagged?: boolean; sourceDate?: string | undefined } = {},
): ParkFile {
  return {
    length: rows.length,
    feature: (index) => read(rows[index] as Row),
    tagged,
    sourceDate,
  };
}

/**
 * @param content the file's text
 * @throws StartError when it is none of the three kinds
 */
export function readParkFile(content: string): ParkFile {
  if (!/^\s*[{[]/.test(content)) return fileOf(readCsv(content), (values) => ({ values }));
  let json: {
    elements?: unknown;
    features?: unknown;
    osm3s?: { timestamp_osm_base?: unknown };
  };
  try {
    json = JSON.parse(content) as typeof json;
  } catch (error) {
    throw new StartError(`The file is no JSON: ${(error as Error).message}.`, { cause: error });
  }
  if (Array.isArray(json.elements)) {
    const date = json.osm3s?.timestamp_osm_base;
    return fileOf(json.elements as (OsmElement | null)[], fromOsmElement, {
      tagged: true,
      sourceDate: typeof date === 'string' ? date.slice(0, 10) : undefined,
    });
  }
  if (Array.isArray(json.features))
    return fileOf(json.features as (GeoFeature | null)[], fromGeoJson);
  throw new StartError(
    'The file is neither Overpass JSON (with "elements"), nor GeoJSON (with "features"), nor CSV.',
  );
}
