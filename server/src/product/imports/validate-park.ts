// Second step of an import: validates one park, with the same rules for every format.
import { decodeHTML } from 'entities';
import {
  PARK_FACT_KEYS,
  type ParkFactKey,
  type StoredFacts,
} from '../../../../shared/park-facts.ts';
import type { Expected } from '../../../../shared/import-report.ts';
import { cleanName } from '#/product/imports/clean-name.ts';
import { expectedValues, readFactValue, readGrounds } from '#/product/imports/fact-values.ts';
import type { Location, Outline } from '#/product/imports/geometry.ts';
import {
  AREA_UNITS,
  HOUR_UNITS,
  isUnknown,
  readDay,
  readNumber,
  readTruth,
  shownValue,
  ValueError,
  type DecimalSign,
} from '#/product/imports/values.ts';
import { siteMessages } from '#/product/site-messages.ts';
import { GROUNDS } from '../../../../shared/enums.ts';
import { LANGUAGE_CODES, LANGUAGES, type Language } from '../../../../shared/languages.ts';

export const TEXT_LENGTHS = { name: 120, city: 120, address: 200 };
export const MAX_SIZE = 10_000_000;

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const truncate = (text: string, length: number) => [...text].slice(0, length).join('').trim();

/** Reads a single-line text. HTML entities are decoded, because open data portals export them. */
function readText(value: unknown, length: number): string {
  if (!isScalar(value)) return '';
  const text = String(value).replaceAll(/<\/?[a-z][^<>]*>/gi, ' ');
  return truncate(cleanName(/&[#\w]+;/.test(text) ? decodeHTML(text) : text), length);
}

/** Parses a value. @returns null if it is not recognised */
type Read = (value: unknown, decimal?: DecimalSign) => unknown;

interface Column {
  read: Read;
  expected: Expected;
}

/** The columns of public.parks that a source provides and users may correct. Other facts are in shared/park-facts.ts. */
const FACTS: Record<string, Column> = {
  size: {
    read(value, decimal) {
      const size = readNumber(value, AREA_UNITS, decimal);
      return size !== null && size >= 1 && size <= MAX_SIZE ? Math.round(size * 10) / 10 : null;
    },
    expected: { type: 'size', values: { to: MAX_SIZE, example: '0.5 ha' } },
  },
  shade: {
    read(value, decimal) {
      const hours = readNumber(value, HOUR_UNITS, decimal);
      return hours !== null && hours >= 0 && hours <= 24 ? Math.round(hours * 10) / 10 : null;
    },
    expected: { type: 'shade' },
  },
  has_facilities: { read: readTruth, expected: { type: 'values', values: { values: 'yes, no' } } },
};
const GROUND_VALUES: Expected = { type: 'values', values: { values: GROUNDS.join(', ') } };

const FACT_COLUMNS = [...Object.keys(FACTS), 'materials'];
const TEXT_COLUMNS = Object.keys(TEXT_LENGTHS).flatMap((field) => [
  field,
  ...LANGUAGE_CODES.map((language) => `${field}_${language}`),
]);

export const COLUMN_NAMES = [
  ...FACT_COLUMNS,
  ...PARK_FACT_KEYS,
  ...TEXT_COLUMNS,
  ...['lat', 'long', 'geometry', 'source_ref', 'source', 'licence', 'source_date'],
];

/** A park in a file, by columns of Packpark. It is not validated yet. */
interface RawPark {
  values: Record<string, unknown>;
  location: Location;
  /** The decimal separator in the row's coordinates. */
  decimal: DecimalSign | undefined;
}

export type Texts = Record<'name' | 'city' | 'address', string>;

/** A value that was ignored because it is not recognised. */
export interface Dropped {
  column: string;
  value: string;
  expected: Expected;
}

/** A row of public.parks as the import writes it. Null means unknown. */
export interface Park {
  source_ref: string;
  source: string;
  licence: string;
  source_date: string | null;
  lat: number;
  long: number;
  outline: Outline | null;
  /** Values by the names in FACT_COLUMNS. */
  columns: Record<string, unknown>;
  facts: StoredFacts;
  /** An empty address means unknown. */
  texts: Partial<Record<Language, Texts>>;
}

/** Values that the operator specifies for all rows. */
export interface Defaults {
  /** Values that replace those of the file. */
  source?: string | undefined;
  licence?: string | undefined;
  /** Values for rows that have none. */
  city?: string | undefined;
  sourceDate?: string | undefined;
  fallback?: { source: string; licence: string } | undefined;
}

/** Returns a name for a park without a name, from its street if it is known. */
function nameless(language: Language, address: string): string {
  const street = address.replaceAll(/^\d+\S*\s+|[\s,]+\d+\S*$/g, '').trim();
  const { name, comma } = siteMessages(language).nameless;
  return truncate(/\p{L}/u.test(street) ? name + comma + street : name, TEXT_LENGTHS.name);
}

/** Languages that can be detected by their script. Latin letters cannot be assigned to one language. */
const LETTERS = LANGUAGE_CODES.filter((code) => LANGUAGES[code].script !== 'Latin').map(
  (code) => [code, new RegExp(`\\p{Script=${LANGUAGES[code].script}}`, 'u')] as const,
);

const languageOf = (text: string): Language =>
  LETTERS.find(([, letters]) => letters.test(text))?.[0] ?? 'en';

/**
 * Returns a text by language: from columns with a language, such as `name_he`, and from the plain column, whose language is
 * detected.
 */
function byLanguage(
  values: Record<string, unknown>,
  field: keyof Texts,
): Partial<Record<Language, string>> {
  const found: Partial<Record<Language, string>> = {};
  const plain = readText(values[field], TEXT_LENGTHS[field]);
  if (plain) found[languageOf(plain)] = plain;
  for (const language of LANGUAGE_CODES) {
    const given = readText(values[`${field}_${language}`], TEXT_LENGTHS[field]);
    if (given) found[language] = given;
  }
  return found;
}

const inLanguage = (texts: Partial<Record<Language, string>>, language: Language) =>
  texts[language] ?? texts.en ?? texts.he ?? texts.ar;

const sameWord = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{P}\s]+/gu, '')
    .toLowerCase();

/** Removes the city and its postcode from an address, because the app shows the city separately. */
function withoutCity(address: string, cities: readonly string[]): string {
  const names = new Set(cities.map(sameWord));
  const isCity = (part: string) =>
    names.has(sameWord(part.replaceAll(/^\d{4,7}\s+|\s+\d{4,7}$/g, '')));
  const parts = address.split(/\s*[,،]\s*/).filter((part) => part !== '' && !isCity(part));
  const rest = parts.join(', ');
  // The address has no comma before the city, as in "Herzl 5 Haifa".
  const city = cities.find((name) => rest.toLowerCase().endsWith(` ${name.toLowerCase()}`));
  const before = city === undefined ? rest : rest.slice(0, -city.length).trim();
  return /\d/.test(before) ? before : rest;
}

/**
 * Returns the texts by language. If a language is missing, the text of another language is used.
 * @param values by columns of Packpark, such as `name_he`
 * @throws ValueError if the park has no city
 */
export function textsOf(values: Record<string, unknown>, defaults: Defaults): Park['texts'] {
  const names = byLanguage(values, 'name');
  const known = byLanguage(values, 'city');
  const cities =
    Object.keys(known).length > 0 ? known : byLanguage({ city: defaults.city }, 'city');
  const addresses = byLanguage(values, 'address');
  if (Object.keys(cities).length === 0)
    throw new ValueError('city', '', 'city', { option: '--city' });
  const hasName = Object.keys(names).length > 0;
  return Object.fromEntries(
    LANGUAGE_CODES.filter((one) => !hasName || names[one] || cities[one] || addresses[one]).map(
      (language): [Language, Texts] => {
        const city = inLanguage(cities, language) ?? '';
        // The address is truncated again, because a space is added after each comma.
        const address = truncate(
          withoutCity(inLanguage(addresses, language) ?? '', Object.values(cities)),
          TEXT_LENGTHS.address,
        );
        return [
          language,
          { name: inLanguage(names, language) ?? nameless(language, address), city, address },
        ];
      },
    ),
  );
}

/** Returns the facts and columns of a park, and the values that were not recognised. */
function readFacts({ values, decimal }: RawPark) {
  const dropped: Dropped[] = [];
  const read = (column: string, { read: reader, expected }: Column): unknown => {
    const value = values[column];
    if (isUnknown(value)) return null;
    const result = isScalar(value) ? reader(value, decimal) : null;
    if (result === null) dropped.push({ column, value: shownValue(value), expected });
    return result;
  };
  const columns = Object.fromEntries(
    Object.entries(FACTS).map(([column, reader]) => [column, read(column, reader)]),
  );
  const grounds = isUnknown(values.materials) ? [] : readGrounds(values.materials);
  if (!Array.isArray(grounds))
    for (const value of grounds.unknown)
      dropped.push({ column: 'materials', value: shownValue(value), expected: GROUND_VALUES });
  const known = Array.isArray(grounds) ? [] : grounds.known;
  columns.materials = known.length > 0 ? known : null;
  const facts = Object.fromEntries(
    PARK_FACT_KEYS.flatMap((key: ParkFactKey) => {
      const reader = (value: unknown, sign?: DecimalSign) => readFactValue(key, value, sign);
      const value = read(key, { read: reader, expected: expectedValues(key) });
      return value === null ? [] : [[key, value]];
    }),
  ) as StoredFacts;
  const day = read('source_date', {
    read: readDay,
    expected: { type: 'date', values: { example: '2026-01-31' } },
  });
  return { columns, facts, day: day as string | null, dropped };
}

/**
 * Validates a park. Optional values that are not recognised are ignored and reported.
 * @throws ValueError if the park cannot be imported
 */
export function validatePark(raw: RawPark, defaults: Defaults): { park: Park; dropped: Dropped[] } {
  const { values, location } = raw;
  const { lat, long, outline, size } = location;
  if (lat === 0 && long === 0) throw new ValueError('lat, long', '0, 0', 'not at zero');
  const source = defaults.source ?? (readText(values.source, 200) || defaults.fallback?.source);
  const licence = defaults.licence ?? (readText(values.licence, 200) || defaults.fallback?.licence);
  if (!source) throw new ValueError('source', '', 'option or column', { option: '--source' });
  if (!licence) throw new ValueError('licence', '', 'option or column', { option: '--licence' });
  // The source `user` is reserved for parks that users submit.
  if (source === 'user') throw new ValueError('source', source, 'another name');
  const { columns, facts, day, dropped } = readFacts(raw);
  columns.size ??=
    size !== null && size >= 1 && size <= MAX_SIZE ? Math.round(size * 10) / 10 : null;
  return {
    park: {
      source_ref: readText(values.source_ref, 200) || `@${lat.toFixed(5)},${long.toFixed(5)}`,
      source: truncate(source, 200),
      licence: truncate(licence, 200),
      source_date: day ?? defaults.sourceDate ?? null,
      lat,
      long,
      outline,
      columns,
      facts,
      texts: textsOf(values, defaults),
    },
    dropped,
  };
}
