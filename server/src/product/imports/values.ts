// Parses single values as cities and mappers write them: yes or no, numbers with units, dates and lists, in three languages.
import type { Expected } from '../../../../shared/import-report.ts';
import { LANGUAGES } from '../../../../shared/languages.ts';

/** An invalid value, which the report shows with the row's number. */
export class ValueError extends Error {
  readonly column: string;
  readonly value: string;
  readonly expected: Expected;

  /** @param values for the placeholders of the message */
  constructor(column: string, value: string, type: Expected['type'], values?: Expected['values']) {
    super(`${column} is invalid`);
    this.column = column;
    this.value = value;
    this.expected = values ? { type, values } : { type };
  }
}

const MAX_SHOWN = 80;

/** Formats a value for a message: on one line and with a limited length. */
export function shownValue(value: unknown): string {
  const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value ?? '');
  const line = [...text.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()];
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).join('')}…` : line.join('');
}

/** Converts Arabic and Persian digits to 0 to 9. */
export const latinDigits = (text: string): string =>
  text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));

/** Normalises a word: Latin digits, one type of space, lower case. */
export const foldWord = (value: unknown): string =>
  latinDigits(typeof value === 'object' ? '' : String(value ?? ''))
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
    .toLowerCase();

const UNKNOWN = new Set(
  ',n/a,na,n.a.,-,--,–,—,?,unknown,null,none given,nan,tbd,not known,לא ידוע,אין מידע,غير معروف,غير معروفة,keine angabe,k.a.'.split(
    ',',
  ),
);

export const isUnknown = (value: unknown): boolean =>
  value === null || value === undefined || UNKNOWN.has(foldWord(value));

const YES =
  'yes,y,true,t,on,x,✓,✔,☑,כן,יש,קיים,קיימת,נכון,نعم,يوجد,موجود,صحيح,oui,ja,si,sí,sim,da,v,designated,permissive,seasonal,dog,available,present';
const NO =
  'no,n,false,f,off,none,✗,✘,☐,לא,אין,לא קיים,לא קיימת,لا,لا يوجد,غير موجود,non,nein,nee,não,not available,absent';
const TRUTH = new Map([
  ...YES.split(',').map((word) => [word, true] as const),
  ...NO.split(',').map((word) => [word, false] as const),
]);

/** Parses yes or no. Returns null for all other values. */
export function readTruth(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const word = foldWord(value);
  // The value is a count, such as the number of benches.
  if (/^\d+([.,]0+)?$/.test(word)) return Number(word.replace(',', '.')) > 0;
  return TRUTH.get(word) ?? null;
}

export type DecimalSign = '.' | ',';
type Units = Record<string, number>;

/** Units of areas, as factors of square metres. */
export const AREA_UNITS: Units = {
  ...units(1, 'm2|m^2|sqm|sq m|sq. m|qm|square metres|square meters|square metre|square meter'),
  ...units(1, 'מטר|מטרים|מ"ר|מ״ר|מר|מ\'|מטר רבוע|מטרים רבועים|متر مربع|متر2|م2|م²|متر|m'),
  ...units(1000, 'דונם|דונמים|دونم|دونمات|dunam|dunams'),
  ...units(10_000, 'ha|hectare|hectares|hektar|הקטר|هكتار'),
  ...units(1_000_000, 'km2|km^2|sq km'),
  ...units(4046.856, 'acre|acres|ac|אקר|فدان إنجليزي'),
  ...units(0.092_903, 'sq ft|sqft|sq. ft|sq. ft.|sq ft.|ft2|ft^2|square feet|square foot'),
};
/** Units of lengths, as factors of metres. */
export const LENGTH_UNITS: Units = {
  ...units(1, "m|metre|metres|meter|meters|מטר|מטרים|מ'|מ׳|م|متر|أمتار"),
  ...units(0.01, 'cm|centimetres|centimeters|ס"מ|ס״מ|سم'),
  ...units(0.3048, "ft|feet|foot|'"),
  ...units(0.0254, 'in|inch|inches|"'),
};
export const HOUR_UNITS: Units = units(1, 'h|hour|hours|hrs|שעה|שעות|ساعة|ساعات');

function units(factor: number, names: string): Units {
  return Object.fromEntries(names.split('|').map((name) => [name.normalize('NFKC'), factor]));
}

/** Converts a number to plain digits. Returns null if its separators are inconsistent. */
function plainNumber(digits: string, decimal: DecimalSign | undefined): number | null {
  let text = digits.replaceAll(/(?<=\d)[ '’](?=\d{3})/g, '');
  const signs = new Set(text.match(/[.,]/g));
  if (signs.size === 2) {
    // The last separator is the decimal separator, in 1,234.5 and in 1.234,5.
    const last = text.lastIndexOf('.') > text.lastIndexOf(',') ? '.' : ',';
    const other = last === '.' ? ',' : '.';
    if (!new RegExp(`^\\d{1,3}(\\${other}\\d{3})+\\${last}\\d+$`).test(text)) return null;
    text = text.replaceAll(other, '').replace(last, '.');
  } else if (signs.size === 1) {
    const sign = signs.has('.') ? '.' : ',';
    const isGrouped = /^[1-9]\d{0,2}([.,]\d{3})+$/.test(text);
    const isRepeated = text.indexOf(sign) !== text.lastIndexOf(sign);
    const groups = isRepeated || (isGrouped && (decimal ? sign !== decimal : sign === ','));
    if (groups && !isGrouped) return null;
    text = groups ? text.replaceAll(sign, '') : text.replace(sign, '.');
  }
  return /^\d+(\.\d*)?$|^\.\d+$/.test(text) ? Number(text) : null;
}

const NUMBER = /^(\d[\d.,'’ ]*|[.,]\d+)\s*(\D.*)?$/u;

/**
 * Parses a number with an optional unit.
 * @param known the allowed units and their factors
 * @param decimal the decimal separator of the file, if its coordinates reveal it
 * @returns null if the value is not a number with an allowed unit
 */
export function readNumber(value: unknown, known: Units, decimal?: DecimalSign): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const text = foldWord(value)
    // NFKC has converted a double prime to two primes.
    .replaceAll('′′', '"')
    .replaceAll('′', "'")
    .replace(/^(ca\.?|circa|about|approx\.?|approximately|~|≈|כ-|כ|حوالي)\s*/u, '');
  const feet = /^(\d+)\s*(?:'|ft|feet)\s*(\d+)\s*(?:"|in|inches)?$/.exec(text);
  if (feet && known === LENGTH_UNITS) return Number(feet[1]) * 0.3048 + Number(feet[2]) * 0.0254;
  const [, digits = '', unit = ''] = NUMBER.exec(text) ?? [];
  const number = plainNumber(digits.trim(), decimal);
  if (number === null) return null;
  if (unit === '') return number;
  const factor = known[unit.trim().replace(/\.$/, '')] ?? known[unit.trim()];
  return factor === undefined ? null : number * factor;
}

/** Parses a coordinate, also with a decimal comma. @returns null if it is not a number */
export function readDegrees(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const text = foldWord(value).replace(/^−/, '-').replace(/°$/, '');
  return /^[-+]?(\d+([.,]\d*)?|[.,]\d+)$/.test(text) ? Number(text.replace(',', '.')) : null;
}

export function decimalSignOf(value: unknown): DecimalSign | undefined {
  const [, sign] =
    /^\s*[-+−]?\d{1,3}([.,])\d+\s*°?\s*$/u.exec(typeof value === 'string' ? value : '') ?? [];
  return sign as DecimalSign | undefined;
}

let months: Map<string, number> | undefined;
/** Maps the full and short names of the months in our languages to their numbers. Created when the first date with a name is read. */
const monthNumbers = () =>
  (months ??= new Map(
    Object.values(LANGUAGES).flatMap(({ locale }) =>
      ['long', 'short'].flatMap((month) =>
        Array.from({ length: 12 }, (_, index) => {
          const format = new Intl.DateTimeFormat(locale, {
            calendar: 'gregory',
            numberingSystem: 'latn',
            day: 'numeric',
            month: month as 'long',
            timeZone: 'UTC',
          });
          const parts = format.formatToParts(Date.UTC(2024, index, 1));
          return [foldWord(parts.find(({ type }) => type === 'month')?.value), index + 1] as const;
        }),
      ),
    ),
  ));

/** @returns null for an invalid date */
function isoDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 1900 && year <= 2199 ? date.toISOString().slice(0, 10) : null;
}

/** Parses a date and returns it as 2026-01-31; null if it is invalid or ambiguous. */
export function readDay(value: unknown): string | null {
  const text = foldWord(value);
  const iso = /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?:[t ].*)?$/.exec(text);
  if (iso) return isoDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  // ArcGIS writes dates as milliseconds since 1970.
  if (/^\d{12,13}$/.test(text)) return new Date(Number(text)).toISOString().slice(0, 10);
  // Spreadsheets abbreviate the year, as in 12-Jun-25.
  const named = /^(\d{1,2})\.?[ -](?:ב|of )?(\p{L}+\.?),?[ -](\d{4}|\d\d)$/u.exec(text);
  const month = named && (monthNumbers().get(named[2] ?? '') ?? monthNumbers().get(`ב${named[2]}`));
  if (named && month) {
    const year = Number(named[3]);
    return isoDay(year < 100 ? 2000 + year : year, month, Number(named[1]));
  }
  const [, first = '', sign, second = '', year = ''] =
    /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?: .*)?$/.exec(text) ?? [];
  if (year === '') return null;
  const [a, b] = [Number(first), Number(second)];
  // In dates with dots, the day comes first. Otherwise 01/02/2026 is ambiguous.
  if (sign !== '.' && a <= 12 && b <= 12 && a !== b) return null;
  return a > 12 || sign === '.' ? isoDay(Number(year), b, a) : isoDay(Number(year), a, b);
}

/** Splits a list with any separator. */
export const listOf = (value: unknown): string[] =>
  (Array.isArray(value)
    ? value.map(foldWord)
    : foldWord(value).split(/\s*(?:[;,|/+&]|\band\b)\s*/u)
  ).filter(Boolean);
