// What an import knows of one park, checked: the same shape for every kind of file.
import * as v from 'valibot';
import {
  PARK_FACT_KEYS,
  PARK_FACTS,
  type ParkFactKey,
  type StoredFacts,
} from '../../../../shared/park-facts.ts';
import { commonWord, readFactValue } from '#/product/imports/fact-values.ts';
import {
  measureOutline,
  storedOutline,
  type Outline,
  type Place,
} from '#/product/imports/geometry.ts';
import { siteMessages } from '#/product/site-messages.ts';
import { GROUNDS } from '../../../../shared/enums.ts';
import { LANGUAGE_CODES, LANGUAGES, type Language } from '../../../../shared/languages.ts';

const LONGEST = { name: 120, city: 120, address: 200 };

/** What private.clean_name removes of people's texts: invisible signs, and those that turn the text after them. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

const text = (most: number) =>
  v.pipe(
    v.union([v.string(), v.pipe(v.number(), v.transform(String))]),
    v.transform((value) => {
      // Lone surrogates cannot be stored; the database counts characters, not code units.
      const clean = value
        .replace(/[\p{Cc}\p{Cs}\p{Z}\s]+/gu, ' ')
        .replace(UNSEEN, '')
        .normalize('NFC');
      return [...clean.trim()].slice(0, most).join('');
    }),
  );
const number = (low: number, high: number, what: string) =>
  v.pipe(
    v.union(
      [v.number(), v.pipe(v.string(), v.trim(), v.nonEmpty(), v.transform(Number))],
      `${what} is missing`,
    ),
    v.minValue(low, `${what} must be from ${low} to ${high}`),
    v.maxValue(high, `${what} must be from ${low} to ${high}`),
  );
/** Degrees; a comma may stand for the decimal point, as in files whose cells are separated by semicolons. */
const degrees = (most: number, what: string) =>
  v.pipe(
    v.unknown(),
    v.transform((value) =>
      typeof value === 'string' ? value.trim().replace(/^(-?\d+),(\d+)$/, '$1.$2') : value,
    ),
    number(-most, most, what),
  );
const yesOrNo = (what: string) =>
  v.pipe(
    v.union([v.boolean(), v.string(), v.number()]),
    v.transform((value) => commonWord(String(value).trim().toLowerCase())),
    v.picklist(['yes', 'no'], `${what} must be yes or no`),
    v.transform((value) => value === 'yes'),
  );

/** What may be written for a fact, for the message about another value. */
function allowed(key: ParkFactKey): string {
  const kind: readonly string[] | { from: number; to: number } | number = PARK_FACTS[key];
  if (typeof kind === 'number') return `has ${kind} characters at most`;
  return 'from' in kind ? `must be from ${kind.from} to ${kind.to}` : `may be ${kind.join(', ')}`;
}

const fact = (key: ParkFactKey) =>
  v.pipe(
    v.union([v.string(), v.number(), v.boolean()]),
    v.transform((written) => readFactValue(key, written)),
    v.string(`${key} ${allowed(key)}`),
  );

/** The columns of public.parks that a source tells and people may correct: one line for each. Other facts are in shared/park-facts.ts. */
const FACTS = {
  size: v.pipe(
    number(1, 10_000_000, 'size'),
    v.transform((size) => Math.round(size * 10) / 10),
  ),
  shade: number(0, 24, 'shade'),
  materials: v.pipe(
    v.union([
      v.array(v.string()),
      v.pipe(
        v.string(),
        v.transform((list) => list.split(/[;,|]/)),
      ),
    ]),
    v.transform((list) => list.map((one) => one.trim().toUpperCase().replaceAll(' ', '_'))),
    v.array(v.picklist(GROUNDS, `materials may be ${GROUNDS.join(', ')}`)),
    v.transform((list) => [...new Set(list)].sort()),
  ),
  has_facilities: yesOrNo('has_facilities'),
};
const FACT_COLUMNS = Object.keys(FACTS);

const TEXTS = Object.fromEntries(
  Object.entries(LONGEST).flatMap(([name, most]) =>
    ['', ...LANGUAGE_CODES.map((language) => `_${language}`)].map((suffix) => [
      name + suffix,
      text(most),
    ]),
  ),
);

const columns = {
  ...FACTS,
  ...Object.fromEntries(PARK_FACT_KEYS.map((key) => [key, fact(key)])),
  ...TEXTS,
  lat: degrees(90, 'lat'),
  long: degrees(180, 'long'),
  source_ref: text(200),
  source: v.pipe(
    text(200),
    // What people submit themselves has this one.
    v.check((source) => source !== 'user', 'source may not be "user"'),
  ),
  licence: text(200),
  source_date: v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d\d-\d\d/, 'source_date must look like 2026-01-31'),
    v.transform((day) => day.slice(0, 10)),
  ),
};
export const COLUMN_NAMES = Object.keys(columns);

const { lat, long, ...others } = columns;
const schema = v.object({ lat, long, ...v.partial(v.object(others)).entries });
const placeSchema = v.object({ lat, long });

/** Checks where something is. Throws Error whose message names what is wrong. */
export function readPlace(values: { lat: unknown; long: unknown }): Place {
  const result = v.safeParse(placeSchema, values);
  if (!result.success) throw new Error(result.issues[0].message);
  return result.output;
}

/** What a file says of a park, by our columns; not validated yet. */
export interface RawPark {
  values: Record<string, unknown>;
  outline: Outline | null;
}

export type Texts = Record<'name' | 'city' | 'address', string>;

/** A row of public.parks as an import writes it: null is not known. */
export interface Park {
  source_ref: string;
  source: string;
  licence: string;
  source_date: string | null;
  lat: number;
  long: number;
  outline: Outline | null;
  /** By FACT_COLUMNS. */
  columns: Record<string, unknown>;
  facts: StoredFacts;
  /** An empty address is not known. */
  texts: Partial<Record<Language, Texts>>;
}

/** What the operator says of all rows. */
export interface Said {
  /** These win over what the file says. */
  source?: string | undefined;
  licence?: string | undefined;
  /** These stand in for what it does not say. */
  city?: string | undefined;
  sourceDate?: string | undefined;
  fallback?: { source: string; licence: string } | undefined;
}

/** What a park without a name is called: by its street where one is known. */
function nameless(language: Language, address: string): string {
  const street = address.replaceAll(/^\d+\S*\s+|[\s,]+\d+\S*$/g, '').trim();
  const { name, comma } = siteMessages(language).nameless;
  return /\p{L}/u.test(street) ? name + comma + street : name;
}

/** Whose letters say which it is: Latin ones are of many. */
const LETTERS = LANGUAGE_CODES.filter((code) => LANGUAGES[code].script !== 'Latin').map(
  (code) => [code, new RegExp(`\\p{Script=${LANGUAGES[code].script}}`, 'u')] as const,
);

const languageOf = (words: string): Language =>
  LETTERS.find(([, letters]) => letters.test(words))?.[0] ?? 'en';

/** One text by language: those with a language in their column, and the plain one under the script it is written in. */
function byLanguage(
  values: Record<string, unknown>,
  field: keyof Texts,
): Partial<Record<Language, string>> {
  const found: Partial<Record<Language, string>> = {};
  const plain = values[field] as string | undefined;
  if (plain) found[languageOf(plain)] = plain;
  for (const language of LANGUAGE_CODES) {
    const given = values[`${field}_${language}`] as string | undefined;
    if (given) found[language] = given;
  }
  return found;
}

const inLanguage = (texts: Partial<Record<Language, string>>, language: Language) =>
  texts[language] ?? texts.en ?? texts.he ?? texts.ar;

/** The address without the city, which is shown beside it. */
function withoutCity(address: string, city: string): string {
  const [street, place] = [address.toLowerCase(), city.toLowerCase()];
  if (street === place) return '';
  return street.endsWith(`, ${place}`) ? address.slice(0, -city.length - 2).trim() : address;
}

/**
 * The words by language, each in its field: what a language lacks is taken from another one.
 * @param values by our columns, such as `name_he`
 * @throws Error where no city is known
 */
export function textsOf(values: Record<string, unknown>, said: Said): Park['texts'] {
  const names = byLanguage(values, 'name');
  const known = byLanguage(values, 'city');
  const cities =
    Object.keys(known).length > 0 ? known : byLanguage({ city: said.city?.trim() }, 'city');
  const addresses = byLanguage(values, 'address');
  if (Object.keys(cities).length === 0) throw new Error('city is missing (--city says it for all)');
  const named = Object.keys(names).length > 0;
  return Object.fromEntries(
    LANGUAGE_CODES.filter((one) => !named || names[one] || cities[one] || addresses[one]).map(
      (language): [Language, Texts] => {
        const city = inLanguage(cities, language) ?? '';
        const address = withoutCity(inLanguage(addresses, language) ?? '', city);
        return [
          language,
          { name: inLanguage(names, language) ?? nameless(language, address), city, address },
        ];
      },
    ),
  );
}

/** Checks what a file says of a park. Throws Error whose message names what is wrong. */
export function readPark({ values: raw, outline }: RawPark, said: Said): Park {
  const measured = outline && measureOutline(outline);
  // Empty cells and nulls mean 'not known'; the position is required.
  const known = Object.entries(raw).filter(([, value]) => value !== '' && (value ?? null) !== null);
  const result = v.safeParse(schema, {
    lat: undefined,
    long: undefined,
    ...(measured && measured.size >= 1 ? { size: measured.size } : {}),
    ...Object.fromEntries(known),
    ...(measured ? { lat: measured.lat, long: measured.long } : {}),
  });
  if (!result.success) throw new Error(result.issues[0].message);
  const values = result.output as v.InferOutput<typeof schema> & Record<string, unknown>;
  const source = said.source ?? values.source ?? said.fallback?.source;
  const licence = said.licence ?? values.licence ?? said.fallback?.licence;
  if (!source || !licence)
    throw new Error('source or licence is missing (say it with --source and --licence)');
  return {
    source_ref: values.source_ref ?? `@${values.lat.toFixed(5)},${values.long.toFixed(5)}`,
    source,
    licence,
    source_date: values.source_date ?? said.sourceDate ?? null,
    lat: values.lat,
    long: values.long,
    outline: outline && storedOutline(outline),
    columns: Object.fromEntries(FACT_COLUMNS.map((column) => [column, values[column] ?? null])),
    facts: Object.fromEntries(
      PARK_FACT_KEYS.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]])),
    ),
    texts: textsOf(values, said),
  };
}
