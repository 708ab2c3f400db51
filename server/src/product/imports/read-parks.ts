// The one reading of a file's rows, whatever its format: which of them are dog parks, and what is known of those.
import type { Feature } from '#/product/imports/features.ts';
import type { ParkFile } from '#/product/imports/formats.ts';
import { foldName, isWanted, mapped, type Mapping } from '#/product/imports/mapping.ts';
import { columnsOfTags, kindOf, osmId, type Values } from '#/product/imports/osm-tags.ts';
import {
  COLUMN_NAMES,
  readPark,
  type Park,
  type RawPark,
  type Said,
} from '#/product/imports/park-row.ts';

/** How else people and tools write the names of columns. */
const ALIASES: Record<string, string[]> = {
  lat: ['latitude', 'y', '@lat', 'geo_lat', 'קו רוחב'],
  long: ['lon', 'lng', 'longitude', 'x', '@lon', 'geo_lon', 'geo_lng', 'קו אורך'],
  source_ref: ['id'],
};

export interface ReadOptions {
  said: Said;
  mapping: Mapping;
}

/** What is told of a row that is no park. */
export interface RowReport {
  /** @param row from 1 */
  bad(row: number, problem: string): void;
  /** @param kind such as amenity=veterinary */
  leftOut(row: number, kind: string): void;
}

export interface NumberedPark {
  /** From 1, as in the file. */
  row: number;
  park: Park;
}

const OPEN_STREET_MAP = { source: 'OpenStreetMap', licence: 'ODbL 1.0' };

function withAliases(values: Values): Values {
  const result = { ...values };
  for (const [ours, others] of Object.entries(ALIASES)) {
    const other = others.find((name) => (values[name] ?? '') !== '');
    if ((result[ours] ?? '') === '' && other !== undefined) result[ours] = values[other];
  }
  return result;
}

/** What a thing is: a dog park with its values, or the word for what else it is. */
function readFeature(
  { id, lat, long, outline = null, values: written }: Feature,
  { said, mapping }: ReadOptions,
  tagged: boolean,
): { raw: RawPark; said: Said } | string {
  const folded = Object.fromEntries(
    Object.entries(written).map(([name, value]) => [foldName(name), value]),
  );
  if (!isWanted(mapping, folded)) return 'not what the mapping file asks for';
  const values = withAliases(mapped(mapping, folded));
  const kind = kindOf(values);
  if (typeof kind === 'string') return kind;
  const ref = osmId(id, values);
  if (kind === null && ref !== null && tagged) return 'no tag that says what it is';
  // Tags have names that mean something else here, such as source: of tagged things only what the mapping file names is ours.
  const own =
    kind === true
      ? [...Object.values(mapping.columns), ...Object.keys(mapping.fixed)]
      : COLUMN_NAMES;
  const raw: Values = { lat: values.lat, long: values.long, ...columnsOfTags(values) };
  for (const column of own) if ((values[column] ?? '') !== '') raw[column] = values[column];
  if (lat !== undefined) Object.assign(raw, { lat, long });
  if (ref !== null) raw.source_ref = ref;
  else if (id !== undefined && (values.source_ref ?? '') === '') raw.source_ref = id;
  const fallback = ref !== null || kind === true ? OPEN_STREET_MAP : undefined;
  return { raw: { values: raw, outline }, said: { ...said, fallback } };
}

/** Whether anything in the file says what it is, so that silence means 'nothing in particular'. */
function isTagged(file: ParkFile): boolean {
  if (file.tagged) return true;
  for (let index = 0; index < file.length; index += 1) {
    try {
      if (kindOf(file.feature(index)?.values ?? {}) !== null) return true;
    } catch {
      // Told with its row later.
    }
  }
  return false;
}

/** One source however it is spelled: in lower case, without signs and spaces. */
const sourceKey = (source: string): string => source.toLowerCase().replace(/[\s\p{P}]+/gu, '');

/** Reads row by row; what is wrong with one is reported, and the rest go on. */
export function* readParks(
  file: ParkFile,
  options: ReadOptions,
  report: RowReport,
): Generator<NumberedPark> {
  const tagged = isTagged(file);
  const said = { ...options.said, sourceDate: file.sourceDate };
  const seen = new Map<string, number>();
  for (let index = 0; index < file.length; index += 1) {
    const row = index + 1;
    try {
      const feature = file.feature(index);
      if (feature === null) continue;
      const read = readFeature(feature, { ...options, said }, tagged);
      if (typeof read === 'string') {
        report.leftOut(row, read);
        continue;
      }
      const park = readPark(read.raw, read.said);
      const key = `${sourceKey(park.source)} ${park.source_ref}`;
      const earlier = seen.get(key);
      if (earlier !== undefined)
        throw new Error(`${park.source_ref} stands in row ${earlier} already`);
      seen.set(key, row);
      yield { row, park };
    } catch (error) {
      report.bad(row, (error as Error).message);
    }
  }
}
