// The one reading of a file's rows, whatever its format: which of them are dog parks, and what is known of those.
import { checkHeader, withAliases } from '#/product/imports/column-aliases.ts';
import type { Feature } from '#/product/imports/features.ts';
import type { ParkFile } from '#/product/imports/formats.ts';
import { measureOutline, type Place } from '#/product/imports/geometry.ts';
import {
  foldName,
  isWanted,
  mapped,
  NO_MAPPING,
  type Mapping,
} from '#/product/imports/mapping-file.ts';
import {
  columnsOfTags,
  isPublicShelter,
  kindOf,
  osmId,
  type Values,
} from '#/product/imports/osm-tags.ts';
import {
  COLUMN_NAMES,
  readPark,
  readPlace,
  type Park,
  type RawPark,
  type Said,
} from '#/product/imports/park-row.ts';

interface ReadOptions {
  said: Said;
  mapping: Mapping;
  /** Whether columns of a table that mean nothing are left out, rather than an error. */
  skipUnknown: boolean;
  /** Where the parks are that are known. */
  near: Place | null;
}

/** What is told of a row that is no park. */
interface RowReport {
  /** @param row from 1 */
  bad(row: number, problem: string): void;
  /** @param kind such as amenity=veterinary */
  leftOut(row: number, kind: string): void;
  /** A park that is called by its street, or by the generic name. */
  nameless(row: number): void;
  /** A public shelter: what is told of it is how far each park is. */
  shelter(place: Place): void;
}

export interface NumberedPark {
  row: number;
  park: Park;
}

const OPEN_STREET_MAP = { source: 'OpenStreetMap', licence: 'ODbL 1.0' };

/** A thing of the file with the names of its values as we write them, and whether it is a dog park. */
interface Thing {
  feature: Feature;
  values: Values;
  /** Its id in OpenStreetMap. */
  ref: string | null;
  /** Null where nothing says what it is. */
  kind: ReturnType<typeof kindOf>;
}

/** @returns the thing, or the word for what else it is than what the mapping file asks for */
function readThing(feature: Feature, mapping: Mapping): Thing | string {
  const folded = Object.fromEntries(
    Object.entries(feature.values).map(([name, value]) => [foldName(name), value]),
  );
  if (!isWanted(mapping, folded)) return 'not what the mapping file asks for';
  const values = withAliases(mapped(mapping, folded));
  return { feature, values, ref: osmId(feature.id, values), kind: kindOf(values) };
}

/** Where a thing is. @throws Error that says what is wrong with it */
function placeOf({ feature: { lat, long, outline }, values }: Thing): Place {
  if (outline) return measureOutline(outline);
  return readPlace({ lat: lat ?? values.lat, long: long ?? values.long });
}

/** What is known of a thing that is a dog park. */
function rawPark(
  { feature, values, ref, kind }: Thing,
  { said, mapping }: Pick<ReadOptions, 'said' | 'mapping'>,
): { raw: RawPark; said: Said } {
  const { id, lat, long, outline = null } = feature;
  // Tags have names that mean something else here, such as source: of tagged things only what the mapping file names is ours.
  const own =
    kind === true
      ? [...Object.values(mapping.columns), ...Object.keys(mapping.fixed)]
      : COLUMN_NAMES;
  const raw: Values = { lat: values.lat, long: values.long, ...columnsOfTags(values) };
  for (const column of own) if ((values[column] ?? '') !== '') raw[column] = values[column];
  // Nobody knows them where their cell is empty: benches and water stand in columns of their own there.
  if (kind !== true && values.has_facilities !== undefined)
    raw.has_facilities = values.has_facilities;
  if (lat !== undefined) Object.assign(raw, { lat, long });
  if (ref !== null) raw.source_ref = ref;
  else if (id !== undefined && (values.source_ref ?? '') === '') raw.source_ref = id;
  const fallback = ref !== null || kind === true ? OPEN_STREET_MAP : undefined;
  return { raw: { values: raw, outline }, said: { ...said, fallback } };
}

/** One source however it is spelled: in lower case, without signs and spaces. */
const sourceKey = (source: string): string => source.toLowerCase().replace(/[\s\p{P}]+/gu, '');

const degrees = (a: Place, b: Place) => Math.hypot(a.lat - b.lat, a.long - b.long);

/** Whether a place is out of the way, and with latitude and longitude swapped it would not be. */
function areSwapped(place: Place, near: Place): boolean {
  const away = degrees(place, near);
  return away > 1 && away > 3 * degrees({ lat: place.long, long: place.lat }, near);
}

const UNTAGGED = 'no tag that says what it is';

/** Tells of a thing that its tags call something else than a dog park. */
function tellOther(
  row: number,
  thing: Thing,
  kind: string,
  report: Pick<RowReport, 'bad' | 'leftOut' | 'shelter'>,
): void {
  if (!isPublicShelter(thing.values)) report.leftOut(row, kind);
  else
    try {
      report.shelter(placeOf(thing));
    } catch (error) {
      report.bad(row, (error as Error).message);
    }
}

/** The places of a file of public shelters; where tags say what its things are, of those that are one. */
export async function readShelters(
  file: ParkFile,
  report: Pick<RowReport, 'bad' | 'leftOut' | 'shelter'>,
): Promise<void> {
  let row = 0;
  for await (const content of file.rows) {
    row += 1;
    try {
      const feature = file.feature(content);
      const thing = feature && readThing(feature, NO_MAPPING);
      if (!thing || typeof thing === 'string') continue;
      if (thing.kind === null) report.shelter(placeOf(thing));
      else if (thing.kind !== true) tellOther(row, thing, thing.kind, report);
    } catch (error) {
      report.bad(row, (error as Error).message);
    }
  }
}

/** Reads row by row; what is wrong with one is reported, and the rest go on. */
export async function* readParks(
  file: ParkFile,
  options: ReadOptions,
  report: RowReport,
): AsyncGenerator<NumberedPark> {
  const said = { ...options.said, sourceDate: file.sourceDate };
  const seen = new Map<string, number>();
  // Once anything says what it is, silence means 'nothing in particular'. Of things of OpenStreetMap that say nothing this
  // is known at the end only, unless it was seen before.
  let tagged: boolean = file.tagged ?? false;
  const undecided: { row: number; thing: Thing }[] = [];

  function park(row: number, thing: Thing): NumberedPark[] {
    try {
      const { raw, said: own } = rawPark(thing, { ...options, said });
      const read = readPark(raw, own);
      if (options.near && areSwapped(read, options.near))
        throw new Error(
          `latitude and longitude look swapped: ${read.lat}, ${read.long} is far from all other parks, and ${read.long}, ${read.lat} is not`,
        );
      const key = `${sourceKey(read.source)} ${read.source_ref}`;
      const earlier = seen.get(key);
      if (earlier !== undefined)
        throw new Error(`${read.source_ref} stands in row ${earlier} already`);
      seen.set(key, row);
      if (!Object.keys(raw.values).some((column) => /^name(_|$)/.test(column)))
        report.nameless(row);
      return [{ row, park: read }];
    } catch (error) {
      report.bad(row, (error as Error).message);
      return [];
    }
  }

  let row = 0;
  /** Names that no tag explains, of a file without a header. */
  const names = new Set<string>();
  let isPlain = false;
  for await (const content of file.rows) {
    row += 1;
    if (file.isTable && row === 1) checkHeader(Object.keys(content as object), options);
    let thing: Thing | string;
    try {
      const feature = file.feature(content);
      if (feature === null) continue;
      for (const name of Object.keys(feature.values)) names.add(name);
      thing = readThing(feature, options.mapping);
    } catch (error) {
      report.bad(row, (error as Error).message);
      continue;
    }
    if (typeof thing === 'string') report.leftOut(row, thing);
    else {
      tagged ||= thing.kind !== null;
      if (typeof thing.kind === 'string') tellOther(row, thing, thing.kind, report);
      else if (thing.kind === null && thing.ref !== null) {
        if (tagged) report.leftOut(row, UNTAGGED);
        else undecided.push({ row, thing });
      } else {
        const numbered = park(row, thing);
        isPlain ||= numbered.length > 0 && thing.kind === null && !file.isTable;
        yield* numbered;
      }
    }
  }
  if (isPlain && !tagged) checkHeader([...names], options);
  for (const one of undecided) {
    if (tagged) report.leftOut(one.row, UNTAGGED);
    else yield* park(one.row, one.thing);
  }
}
