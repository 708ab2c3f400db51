// First step of an import: reads a file of any format into features, each with its row number.
import { BrokenRecord, readCsv } from '#/product/imports/csv.ts';
import { beginning } from '#/product/imports/decode.ts';
import {
  fromEsri,
  fromGeoJson,
  fromOsmElement,
  fromTable,
  type Feature,
} from '#/product/imports/features.ts';
import { openJsonRows } from '#/product/imports/json-rows.ts';
import { projectionFrom, type Projection } from '#/product/imports/projections.ts';
import { readDay, ValueError } from '#/product/imports/values.ts';
import { StartError } from '#/host/lib/start-error.ts';
import type { ImportFormat } from '../../../../shared/import-report.ts';

export interface ParkFile {
  rows: AsyncIterable<unknown>;
  /**
   * Converts a row to a feature. Returns null if the row is only a part of another feature.
   * @throws ValueError
   */
  feature(row: unknown): Feature | null;
  format: ImportFormat;
  /** Converts the coordinates of the file to degrees; null if they are already in degrees. */
  projection: Projection | null;
  /** The date of the data (YYYY-MM-DD), if the file specifies it before its rows. */
  sourceDate: string | undefined;
}

function fromRecord(row: unknown): Feature {
  if (row instanceof BrokenRecord) throw new ValueError('row', row.text, 'cells');
  return fromTable(row);
}

/** Converts an element of a JSON array: a GeoJSON feature, an element of OpenStreetMap, or a plain object. */
function fromArray(row: unknown): Feature | null {
  const { type, tags } = (row ?? {}) as { type?: unknown; tags?: unknown };
  if (type === 'Feature') return fromGeoJson(row);
  return typeof tags === 'object' && tags !== null ? fromOsmElement(row) : fromTable(row);
}

/** Returns the coordinate system that GeoJSON or Esri JSON specifies. */
function systemOf({ crs, spatialReference }: Record<string, unknown>): string | number | undefined {
  const { properties } = (crs ?? {}) as { properties?: { name?: unknown } };
  const { latestWkid, wkid } = (spatialReference ?? {}) as { latestWkid?: unknown; wkid?: unknown };
  const name = properties?.name ?? latestWkid ?? wkid;
  return typeof name === 'string' || typeof name === 'number' ? name : undefined;
}

/**
 * Reads a file of parks.
 * @param text the whole text, in pieces
 * @param crs the coordinate system, such as `EPSG:2039`, if the file does not specify it
 * @throws StartError if the file has another format; also thrown while its rows are read
 */
export async function readParkFile(
  text: AsyncIterable<string>,
  crs: string | undefined,
): Promise<ParkFile> {
  const { head, whole } = await beginning(text, (read) => /\S/.test(read));
  const own = crs === undefined ? undefined : projectionFrom(crs);
  const common = { projection: own ?? null, sourceDate: undefined };
  if (!/^\s*[{[]/.test(head))
    return { ...common, rows: readCsv(whole), feature: fromRecord, format: 'CSV' };
  const json = await openJsonRows(whole, ['elements', 'features']);
  if (json === null)
    throw new StartError(
      'The file is neither Overpass JSON (with "elements"), nor GeoJSON (with "features"), nor CSV.',
    );
  const { name, before, rows } = json;
  if (name === 'elements') {
    const { timestamp_osm_base: time } = (before.osm3s ?? {}) as { timestamp_osm_base?: unknown };
    return {
      ...common,
      rows,
      feature: fromOsmElement,
      format: 'Overpass JSON',
      sourceDate: readDay(time) ?? undefined,
    };
  }
  if (name === 'array') return { ...common, rows, feature: fromArray, format: 'JSON' };
  const named = systemOf(before);
  const projection = own ?? (named === undefined ? null : projectionFrom(named));
  const isEsri = 'geometryType' in before || 'spatialReference' in before || 'fields' in before;
  return isEsri
    ? { ...common, rows, projection, feature: fromEsri, format: 'Esri JSON' }
    : { ...common, rows, projection, feature: fromGeoJson, format: 'GeoJSON' };
}
