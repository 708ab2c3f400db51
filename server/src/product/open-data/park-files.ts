// Formats the open data of parks as GeoJSON and CSV, with the columns of docs/import.md, so that the files can be imported.
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
  by_users: string[];
  source: string | null;
  source_ref: string | null;
  licence: string;
  source_date: string | null;
}

type Cell = string | number | null;

export type ParkFormat = 'geojson' | 'csv';

/** Number of parks that are formatted before other requests are handled. */
const BATCH = 500;
/** Six decimals are a precision of about ten centimetres. */
const DECIMALS = 1e6;

const degrees = (value: number) => Math.round(value * DECIMALS) / DECIMALS;
const listed = (values: string[] | null): string | null =>
  values && values.length > 0 ? [...new Set(values)].sort().join(';') : null;

function factOf(park: OpenPark, key: (typeof PARK_FACT_KEYS)[number]): Cell {
  const value = park.facts[key];
  const kind: object | number = PARK_FACTS[key];
  // Numeric values are compared as numbers, so 1.0 equals 1.
  return value !== undefined && typeof kind === 'object' && 'from' in kind
    ? Number(value)
    : (value ?? null);
}

/** The columns after the coordinates, in order, each with a function that returns the park's value. */
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
  // Park IDs are unique only within a site, so the reference contains the site's URL.
  source_ref: (park, _texts, siteUrl) => park.source_ref ?? `${siteUrl}/parks/${park.park_id}/`,
  source_date: (park) => park.source_date,
  licence: ({ licence }) => licence,
  by_users: (park) => listed(park.by_users),
};

function cellsOf(park: OpenPark, siteUrl: string): [column: string, cell: Cell][] {
  const given = Object.entries(park.texts).flatMap(([language, texts]) =>
    Object.entries(texts).map(([field, text]) => [`${field}_${language}`, text]),
  );
  const texts = textsOf(Object.fromEntries(given) as Record<string, string>, {});
  return Object.entries(COLUMNS).map(([column, read]) => [column, read(park, texts, siteUrl)]);
}

function featureOf(park: OpenPark, siteUrl: string): string {
  const known = cellsOf(park, siteUrl).filter(
    // has_facilities is written even if it is unknown, because readers would otherwise infer it from benches and water.
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
  // Spreadsheets would execute text that starts like a formula (some of them also with full-width signs), so it gets a leading
  // space, which importers remove.
  const text = /^[=+\-@＝＋－＠]/.test(value) ? ` ${value}` : value;
  return /[",;|\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lineOf = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

/**
 * Reads and formats all parks that may be published.
 * @param siteUrl the origin of the parks' pages, which credit contributors
 */
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
  // With a byte order mark, Excel decodes Hebrew and Arabic correctly.
  return Buffer.from(`\uFEFF${lineOf(['lat', 'long', ...Object.keys(COLUMNS)])}${pieces.join('')}`);
}
