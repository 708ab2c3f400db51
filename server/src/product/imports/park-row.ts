// What an import knows of one park, checked: the same shape for every kind of file.
import * as v from 'valibot';
import { LANGUAGES, type Language } from '#/product/languages.ts';

export const GROUNDS = ['SAND', 'DIRT', 'GRASS', 'SYNTHETIC_GRASS'] as const;

/** Values as a file gives them, by the names that every format uses; not validated yet. */
export type RawPark = Record<string, unknown>;

const text = (most: number) =>
  v.pipe(
    v.string(),
    v.transform((value) =>
      value
        .replace(/[\p{Cc}\s]+/gu, ' ')
        .trim()
        .slice(0, most),
    ),
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
const YES = ['yes', 'true', '1'];
const NO = ['no', 'false', '0'];

const translated = (name: string, most: number) =>
  Object.fromEntries(
    ['', ...LANGUAGES.map((language) => `_${language}`)].map((suffix) => [
      name + suffix,
      v.optional(text(most)),
    ]),
  );

const schema = v.object({
  source_ref: v.optional(
    v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.maxLength(200)),
  ),
  source: v.optional(text(200)),
  licence: v.optional(text(200)),
  source_date: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d\d-\d\d/, 'source_date must look like 2026-01-31'),
      v.transform((day) => day.slice(0, 10)),
    ),
  ),
  lat: number(-90, 90, 'lat'),
  long: number(-180, 180, 'long'),
  size: v.optional(number(1, 10_000_000, 'size')),
  shade: v.optional(number(0, 24, 'shade')),
  materials: v.optional(
    v.pipe(
      v.union([
        v.array(v.string()),
        v.pipe(
          v.string(),
          v.transform((list) => list.split(/[;,|]/)),
        ),
      ]),
      v.transform((list) => list.map((one) => one.trim().toUpperCase().replaceAll(' ', '_'))),
      v.array(v.picklist(GROUNDS, `materials may be ${GROUNDS.join(', ')}`)),
    ),
  ),
  has_facilities: v.optional(
    v.pipe(
      v.union([v.boolean(), v.string()]),
      v.transform((value) => String(value).toLowerCase()),
      v.picklist([...YES, ...NO], 'has_facilities must be yes or no'),
      v.transform((value) => YES.includes(value)),
    ),
  ),
  ...translated('name', 120),
  ...translated('city', 120),
  ...translated('address', 200),
});

export interface Park {
  sourceRef: string;
  source: string;
  licence: string;
  sourceDate: string | null;
  lat: number;
  long: number;
  size: number | null;
  shade: number | null;
  materials: string[] | null;
  hasFacilities: boolean | null;
  translations: { language: Language; name: string; city: string; address: string }[];
}

/** Values for what a file does not say. */
export interface Defaults {
  source?: string | undefined;
  licence?: string | undefined;
  city?: string | undefined;
  sourceDate?: string | undefined;
}

const NAMELESS: Record<Language, string> = { en: 'Dog park', he: 'גינת כלבים', ar: 'حديقة كلاب' };

function languageOf(words: string): Language {
  if (/\p{Script=Hebrew}/u.test(words)) return 'he';
  return /\p{Script=Arabic}/u.test(words) ? 'ar' : 'en';
}

/** One text by language: those with a language in their column, and the plain one under the script it is written in. */
function byLanguage(
  values: Record<string, unknown>,
  field: string,
): Partial<Record<Language, string>> {
  const found: Partial<Record<Language, string>> = {};
  const plain = values[field] as string | undefined;
  if (plain) found[languageOf(plain)] = plain;
  for (const language of LANGUAGES) {
    const given = values[`${field}_${language}`] as string | undefined;
    if (given) found[language] = given;
  }
  return found;
}

const inLanguage = (texts: Partial<Record<Language, string>>, language: Language) =>
  texts[language] ?? texts.en ?? texts.he ?? texts.ar;

/**
 * Checks what a file says of a park.
 * @throws Error whose message names what is wrong
 */
export function readPark(raw: RawPark, defaults: Defaults): Park {
  // Empty cells and nulls mean 'not known'; the position is required.
  const known = Object.entries(raw).filter(([, value]) => value !== '' && (value ?? null) !== null);
  const result = v.safeParse(schema, {
    lat: undefined,
    long: undefined,
    ...Object.fromEntries(known),
  });
  if (!result.success) throw new Error(result.issues[0].message);
  const values = result.output as v.InferOutput<typeof schema> & Record<string, unknown>;
  const source = values.source ?? defaults.source;
  const licence = values.licence ?? defaults.licence;
  if (!source || !licence)
    throw new Error('source or licence is missing (say it with --source and --licence)');
  const names = byLanguage(values, 'name');
  const cities = byLanguage({ ...values, city: values.city ?? defaults.city }, 'city');
  const addresses = byLanguage(values, 'address');
  if (Object.keys(cities).length === 0) throw new Error('city is missing (--city says it for all)');

  const languages = LANGUAGES.filter((one) => names[one] ?? cities[one] ?? addresses[one]);
  const translations = languages.map((language) => {
    const city = inLanguage(cities, language) ?? '';
    return {
      language,
      name: inLanguage(names, language) ?? NAMELESS[language],
      city,
      address: inLanguage(addresses, language) ?? city,
    };
  });
  return {
    sourceRef: values.source_ref ?? `@${values.lat.toFixed(5)},${values.long.toFixed(5)}`,
    source,
    licence,
    sourceDate: values.source_date ?? defaults.sourceDate ?? null,
    lat: values.lat,
    long: values.long,
    size: values.size === undefined ? null : Math.round(values.size * 10) / 10,
    shade: values.shade ?? null,
    materials: values.materials ? [...new Set(values.materials)].sort() : null,
    hasFacilities: values.has_facilities ?? null,
    translations,
  };
}
