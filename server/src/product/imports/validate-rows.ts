// Second step of an import: each row becomes a park, is skipped with a reason, or is rejected with an error.
import { checkHeader, unreadValues, withAliases } from '#/product/imports/column-aliases.ts';
import type { Feature } from '#/product/imports/features.ts';
import type { ParkFile } from '#/product/imports/formats.ts';
import {
  isWkt,
  readGeometry,
  readWkt,
  type Geometry,
  type Location,
  type Place,
} from '#/product/imports/geometry.ts';
import {
  foldName,
  isWanted,
  mapped,
  meaningOf,
  NO_MAPPING,
  type Mapping,
} from '#/product/imports/mapping-file.ts';
import {
  columnsOfTags,
  featureType,
  isPublicShelter,
  osmId,
  whyNotPublic,
  type Values,
} from '#/product/imports/osm-tags.ts';
import { whyClosed } from '#/product/imports/park-status.ts';
import { projectedDegrees, type Projection } from '#/product/imports/projections.ts';
import {
  COLUMN_NAMES,
  validatePark,
  type Defaults,
  type Dropped,
  type Park,
} from '#/product/imports/validate-park.ts';
import {
  decimalSignOf,
  isUnknown,
  readDegrees,
  shownValue,
  ValueError,
} from '#/product/imports/values.ts';
import type { Expected, ImportFormat } from '../../../../shared/import-report.ts';
import { StartError } from '#/host/lib/start-error.ts';

export type RowResult =
  | { type: 'park'; row: number; park: Park; dropped: Dropped[]; hasName: boolean }
  | { type: 'left out'; row: number; reason: string }
  | { type: 'rejected'; row: number; column: string; value: string; expected: Expected }
  /** A public shelter. Only its place is used. */
  | { type: 'shelter'; row: number; place: Place };

interface ValidateOptions {
  defaults: Defaults;
  mapping: Mapping;
  /** True to ignore columns of a table whose meaning is unknown; false to fail. */
  skipUnknown: boolean;
  /** Returns null for a plausible place, otherwise what is wrong with it, such as swapped coordinates. */
  checkPlace(place: Place): Expected | null;
  /** Called with the ignored columns. */
  onUnread(columns: readonly string[]): void;
}

const OPEN_STREET_MAP = { source: 'OpenStreetMap', licence: 'ODbL 1.0' };

/** A feature, with its values under Packpark's names. */
interface Candidate {
  feature: Feature;
  values: Values;
  /** The OpenStreetMap ID. */
  ref: string | null;
  /** Null for a feature without a defining tag. */
  type: ReturnType<typeof featureType>;
}

/** Returns null if the mapping file excludes the feature. */
function candidateFrom(feature: Feature, mapping: Mapping, format: ImportFormat): Candidate | null {
  const folded = Object.fromEntries(
    Object.entries(feature.values).map(([name, value]) => [foldName(name), value]),
  );
  if (!isWanted(mapping, folded)) return null;
  const values = withAliases(mapped(mapping, folded));
  for (const column of Object.keys(mapping.values))
    if (column in values) values[column] = meaningOf(mapping, column, values[column]);
  const ref = osmId(feature.id, values);
  return {
    feature,
    values,
    ref,
    type: featureType(values, { isTable: format === 'CSV', isOsm: ref !== null }),
  };
}

const DEGREES = String.raw`[-+−]?\d{1,3}(?:\.\d+)?°?`;
/** Matches a cell that contains only coordinates, such as `41.93, -87.68`. */
const PAIR = new RegExp(`^\\(?\\s*(${DEGREES})\\s*[,;\\s]\\s*(${DEGREES})\\s*\\)?$`, 'u');
/** Matches coordinates in parentheses after an address, such as `(41.93, -87.68)`. */
const APPENDED_PAIR = /\(\s*([-+−]?\d{1,3}\.\d+)\s*,\s*([-+−]?\d{1,3}\.\d+)\s*\)\s*$/u;

/** Reads a geometry in a cell: WKT, GeoJSON (text or object), or latitude and longitude. */
function locationInCell(cell: unknown, projection: Projection | null): Location | null {
  if (typeof cell === 'object' && cell !== null) {
    if ('coordinates' in cell) return readGeometry(cell as Geometry, projection);
    const { latitude, longitude, lat, lon, lng } = cell as Record<string, unknown>;
    const place = [readDegrees(latitude ?? lat), readDegrees(longitude ?? lon ?? lng)];
    return place[0] === null || place[1] === null
      ? null
      : readGeometry({ type: 'Point', coordinates: [place[1], place[0]] }, null);
  }
  if (typeof cell !== 'string') return null;
  if (isWkt(cell)) return readWkt(cell, projection);
  if (/^\s*\{.*"coordinates"/s.test(cell)) {
    try {
      return readGeometry(JSON.parse(cell) as Geometry, projection);
    } catch (error) {
      if (error instanceof ValueError) throw error;
      throw new ValueError('geometry', shownValue(cell), 'GeoJSON geometry');
    }
  }
  const whole = cell.includes('.') ? PAIR.exec(cell.trim()) : null;
  const pair = whole ?? APPENDED_PAIR.exec(cell);
  return pair === null
    ? null
    : readGeometry(
        { type: 'Point', coordinates: [readDegrees(pair[2]), readDegrees(pair[1])] },
        null,
      );
}

/** Removes the coordinates that some open data portals append to an address. */
const withoutPair = (cell: unknown): unknown =>
  typeof cell !== 'string' || isWkt(cell)
    ? undefined
    : cell.trim().replace(PAIR, '').replace(APPENDED_PAIR, '').trim();

function degrees(column: 'lat' | 'long', value: unknown, projection: Projection | null): number {
  const number = readDegrees(value);
  const limit = column === 'lat' ? 90 : 180;
  if (number !== null && (projection || Math.abs(number) <= limit)) return number;
  const shown = (value ?? '') === '' ? '' : shownValue(value);
  throw number !== null && Math.abs(number) > 1000
    ? new ValueError(column, shown, 'degrees of projected', projectedDegrees(limit))
    : new ValueError(column, shown, 'degrees', { from: -limit, to: limit });
}

/** Returns the location of a feature. @throws ValueError */
function locationOf({ feature, values }: Candidate, projection: Projection | null): Location {
  if (feature.geometry) return readGeometry(feature.geometry, projection);
  const { lat, long } = values;
  const fromCell = () => {
    for (const column of ['geometry', 'address', ...Object.keys(values)]) {
      const found =
        column === 'lat' || column === 'long' ? null : locationInCell(values[column], projection);
      if (found) return found;
    }
    return null;
  };
  const drawn = fromCell();
  if (drawn?.outline || (drawn && ((lat ?? '') === '' || (long ?? '') === ''))) return drawn;
  if ((lat ?? '') === '' && 'geometry' in values && (values.geometry ?? '') !== '')
    throw new ValueError('geometry', shownValue(values.geometry), 'geometry in a cell', {
      formats: 'WKT, GeoJSON',
      example: '"latitude, longitude"',
    });
  if (!('lat' in values) && !('long' in values))
    throw new ValueError('geometry', '', 'geometry', { columns: 'lat, long' });
  const [x, y] = [degrees('long', long, projection), degrees('lat', lat, projection)];
  return readGeometry({ type: 'Point', coordinates: [x, y] }, projection);
}

function columnsFrom({ feature, values, ref, type }: Candidate, mapping: Mapping): Values {
  // For features with OpenStreetMap tags, only mapped columns are read directly, because some tags, such as `source`, mean
  // something else than Packpark's column of the same name.
  const own =
    type === true
      ? [...Object.values(mapping.columns), ...Object.keys(mapping.fixed)]
      : COLUMN_NAMES;
  const raw: Values = columnsOfTags(values);
  for (const column of Object.keys(mapping.values))
    if ((values[column] ?? '') === '') raw[column] = meaningOf(mapping, column, raw[column]);
  for (const column of own) if ((values[column] ?? '') !== '') raw[column] = values[column];
  // In Packpark's own open data, an unknown value must stay unknown, although the tags for benches and water would define it.
  if (type !== true && 'has_facilities' in values && isUnknown(values.has_facilities))
    delete raw.has_facilities;
  if (ref !== null) raw.source_ref = ref;
  else if (feature.id !== undefined && (values.source_ref ?? '') === '')
    raw.source_ref = feature.id;
  if (!feature.geometry) raw.address = withoutPair(raw.address);
  return raw;
}

/** Normalises a source: lower case, without punctuation and spaces. */
const sourceKey = (source: string): string => source.toLowerCase().replace(/[\s\p{P}]+/gu, '');

const UNTAGGED = 'no tag that defines it';

function rejected(row: number, error: unknown): RowResult {
  if (!(error instanceof ValueError)) throw error;
  const { column, value, expected } = error;
  return { type: 'rejected', row, column, value, expected };
}

/** Returns the outcome of a feature that is not a dog park. */
function resultForOther(
  row: number,
  candidate: Candidate,
  reason: string,
  projection: Projection | null,
): RowResult {
  if (!isPublicShelter(candidate.values)) return { type: 'left out', row, reason };
  const { lat, long } = locationOf(candidate, projection);
  return { type: 'shelter', row, place: { lat, long } };
}

/** Yields the places in a file of public shelters. If the features have defining tags, only shelters are used. */
export async function* validateShelters(file: ParkFile): AsyncGenerator<RowResult> {
  let row = 0;
  for await (const content of file.rows) {
    row += 1;
    try {
      const feature = file.feature(content);
      const candidate = feature && candidateFrom(feature, NO_MAPPING, file.format);
      if (!candidate) continue;
      if (typeof candidate.type === 'string')
        yield resultForOther(row, candidate, candidate.type, file.projection);
      else if (candidate.type === null) {
        const { lat, long } = locationOf(candidate, file.projection);
        yield { type: 'shelter', row, place: { lat, long } };
      }
    } catch (error) {
      yield rejected(row, error);
    }
  }
}

/**
 * Validates row by row. Every row has exactly one outcome.
 * @throws StartError if the rest of the file cannot be read
 */
export async function* validateRows(
  file: ParkFile,
  options: ValidateOptions,
): AsyncGenerator<RowResult> {
  const { mapping } = options;
  const defaults = { ...options.defaults, sourceDate: file.sourceDate };
  /** The row and name of each park, by its ID in the file. */
  const seen = new Map<string, { row: number; name: string }>();
  // True if any feature has a defining tag. In that case, features without one are not parks. For files from OpenStreetMap, this
  // may be known only at the end of the file; until then, features without a defining tag stay undecided.
  let isTagged = file.format === 'Overpass JSON';
  const undecided: { row: number; candidate: Candidate }[] = [];

  /**
   * Parks without an ID may be at the same place.
   * @throws ValueError if an earlier row has the same ID
   */
  function claimId(row: number, park: Park): void {
    const id = park.source_ref;
    const name = JSON.stringify(park.texts);
    for (let count = 1; ; count += 1) {
      if (count > 1) park.source_ref = `${id}#${count}`;
      const key = `${sourceKey(park.source)} ${park.source_ref}`;
      const earlier = seen.get(key);
      if (earlier === undefined) {
        seen.set(key, { row, name });
        return;
      }
      if (!id.startsWith('@') || earlier.name === name)
        throw new ValueError(
          'source_ref',
          id,
          id.startsWith('@') ? 'another place' : 'another id',
          { row: earlier.row },
        );
    }
  }

  function parkFrom(row: number, candidate: Candidate): RowResult {
    const { values, ref, type } = candidate;
    try {
      const reason =
        whyNotPublic(values) ?? whyClosed(unreadValues(values, mapping), type === true);
      if (reason !== null) return { type: 'left out', row, reason };
      const raw = columnsFrom(candidate, mapping);
      const location = locationOf(candidate, file.projection);
      const fallback = ref !== null || type === true ? OPEN_STREET_MAP : undefined;
      const decimal = decimalSignOf(values.lat) ?? decimalSignOf(values.long);
      const { park, dropped } = validatePark(
        { values: raw, location, decimal },
        { ...defaults, fallback },
      );
      const wrong = options.checkPlace(park);
      if (wrong !== null)
        throw new ValueError('lat, long', `${park.lat}, ${park.long}`, wrong.type, wrong.values);
      claimId(row, park);
      const hasName = Object.keys(raw).some((column) => /^name(_|$)/.test(column));
      return { type: 'park', row, park, dropped, hasName };
    } catch (error) {
      return rejected(row, error);
    }
  }

  let row = 0;
  /** Names of the properties in a file that has neither a header nor tags. */
  const names = new Set<string>();
  let isPlain = false;
  for await (const content of file.rows) {
    row += 1;
    try {
      const feature = file.feature(content);
      if (feature === null) {
        yield { type: 'left out', row, reason: 'no tags' };
        continue;
      }
      if (file.format === 'CSV' && names.size === 0)
        options.onUnread(checkHeader(Object.keys(feature.values), options));
      for (const name of Object.keys(feature.values)) names.add(name);
      const candidate = candidateFrom(feature, mapping, file.format);
      if (candidate === null) {
        yield { type: 'left out', row, reason: 'not wanted by the mapping file' };
        continue;
      }
      isTagged ||= candidate.type !== null;
      if (typeof candidate.type === 'string')
        yield resultForOther(row, candidate, candidate.type, file.projection);
      else if (candidate.type === null && candidate.ref !== null) {
        if (isTagged) yield { type: 'left out', row, reason: UNTAGGED };
        else undecided.push({ row, candidate });
      } else {
        const result = parkFrom(row, candidate);
        isPlain ||= result.type === 'park' && candidate.type === null && file.format !== 'CSV';
        yield result;
      }
    } catch (error) {
      if (error instanceof StartError) throw error;
      yield rejected(row, error);
    }
  }
  if (isPlain && !isTagged) options.onUnread(checkHeader([...names], options));
  for (const { row: number, candidate } of undecided)
    yield isTagged
      ? { type: 'left out', row: number, reason: UNTAGGED }
      : parkFrom(number, candidate);
}
