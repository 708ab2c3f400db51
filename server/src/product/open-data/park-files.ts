// The parks that are open data, written as GeoJSON and as CSV: the columns of docs/import.md, so that an import reads them back.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '#/host/db/database.ts';
import { textsOf, type Park, type Texts } from '#/product/imports/validate-park.ts';
import { LANGUAGE_CODES, type Language } from '../../../../shared/languages.ts';
import { PARK_FACT_KEYS, PARK_FACTS, type StoredFacts } from '../../../../shared/park-facts.ts';

interface OpenPark {
  park_id: string;
  lat: number;
  long: number;
  size: number | null;
  materials: string[] | null;
  shade: number | null;
  has_facilities: boolean | null;
  facts: StoredFacts;
  texts: Partial<Record<Language, Texts>>;
  by_people: string[];
  source: string | null;
  source_ref: string | null;
  licence: string;
  source_date: string | null;
}

type Cell = string | number | null;

export type ParkFormat = 'geojson' | 'csv';

/** Parks written before other requests have their turn. */
const BATCH = 500;
/** Six decimals are a decimetre. */
const DECIMALS = 1e6;

const degrees = (value: number) => Math.round(value * DECIMALS) / DECIMALS;
const listed = (values: string[] | null): string | null =>
  values && values.length > 0 ? [...new Set(values)].sort().join(';') : null;

function factOf(park: OpenPark, key: (typeof PARK_FACT_KEYS)[number]): Cell {
  const value = park.facts[key];
  const kind: object | number = PARK_FACTS[key];
  // Numbers as numbers, as a table has them: 1.0 and 1 are the same.
  return value !== undefined && typeof kind === 'object' && 'from' in kind
    ? Number(value)
    : (value ?? null);
}

/** The columns beside the place, in their order, and what a park says in them. */
const COLUMNS: Record<string, (park: OpenPark, texts: Park['texts'], siteUrl: string) => Cell> = {
  ...Object.fromEntries(
    (['name', 'city', 'address'] as const).flatMap((field) =>
      LANGUAGE_CODES.map((language) => [
        `${field}_${language}`,
        (_park: OpenPark, texts: Park['texts']) => texts[language]?.[field] || null,
      ]),
    ),
  ),
  size: ({ size }) => size,
  materials: ({ materials }) => listed(materials),
  shade: ({ shade }) => shade,
  has_facilities: ({ has_facilities: known }) => (known === null ? null : known ? 'yes' : 'no'),
  ...Object.fromEntries(PARK_FACT_KEYS.map((key) => [key, (park: OpenPark) => factOf(park, key)])),
  source: ({ source }) => source ?? 'Packpark',
  // Two sites have a park 17 each.
  source_ref: (park, _texts, siteUrl) => park.source_ref ?? `${siteUrl}/parks/${park.park_id}/`,
  source_date: (park) => park.source_date,
  licence: ({ licence }) => licence,
  by_people: (park) => listed(park.by_people),
};

function cellsOf(park: OpenPark, siteUrl: string): [column: string, cell: Cell][] {
  const given = Object.entries(park.texts).flatMap(([language, words]) =>
    Object.entries(words).map(([field, text]) => [`${field}_${language}`, text]),
  );
  const texts = textsOf(Object.fromEntries(given) as Record<string, string>, {});
  return Object.entries(COLUMNS).map(([column, read]) => [column, read(park, texts, siteUrl)]);
}

function featureOf(park: OpenPark, siteUrl: string): string {
  const known = cellsOf(park, siteUrl).filter(
    // Readers guess facilities from benches and water, unless they are told that it is not known.
    ([name, value]) => value !== null || name === 'has_facilities',
  );
  return JSON.stringify({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [degrees(park.long), degrees(park.lat)] },
    properties: Object.fromEntries(known),
  });
}

function cellOf(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // A program for tables would run what begins like a formula; a space before it is left out again by readers.
  const text = /^[=+\-@]/.test(value) ? ` ${value}` : value;
  return /[",;|\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lineOf = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

/** Reads and writes all parks that may be published. `siteUrl`: where the pages of the parks are, which name those that people added. */
export async function writeOpenParks(
  database: Pick<Database, 'pool'>,
  siteUrl: string,
  format: ParkFormat,
): Promise<Buffer> {
  const { rows } = await database.pool.query<OpenPark>(
    `select o.*, o.source_date::text from public.open_parks() o`,
  );
  const pieces: string[] = [];
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH);
    pieces.push(
      format === 'geojson'
        ? `${from === 0 ? '' : ',\n'}${batch.map((park) => featureOf(park, siteUrl)).join(',\n')}`
        : batch
            .map((park) =>
              lineOf([
                degrees(park.lat),
                degrees(park.long),
                ...cellsOf(park, siteUrl).map(([, cell]) => cell),
              ]),
            )
            .join(''),
    );
    await nextTurn();
  }
  if (format === 'geojson')
    return Buffer.from(`{"type":"FeatureCollection","features":[\n${pieces.join('')}\n]}\n`);
  // The mark at the beginning lets Excel read Hebrew and Arabic.
  return Buffer.from(`\uFEFF${lineOf(['lat', 'long', ...Object.keys(COLUMNS)])}${pieces.join('')}`);
}
