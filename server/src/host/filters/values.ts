// Values of records, as PostgreSQL writes them in JSON, compared with those of filters as SQL would compare them.
import { isUuid } from '#/host/lib/uuid.ts';

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const TIME = /^\d{4}-\d\d-\d\d/;

/** A value as it is compared and indexed: text; null stays null. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The canonical form of a UUID as PostgreSQL writes it; other values are unchanged. */
export const canonical = (given: string): string => (isUuid(given) ? given.toLowerCase() : given);

/** Returns true if equality with this value is text equality. Numbers and timestamps have several forms. */
export const hasOneSpelling = (value: string): boolean =>
  !TIME.test(value) && (!NUMBER.test(value) || String(Number(value)) === value);

/** Returns a number below, equal to or above 0. Numbers compare by value, timestamps by instant, everything else as text. */
export function compare(value: unknown, filterValue: string): number {
  const text = textOf(value) ?? '';
  const given = canonical(filterValue);
  if (typeof value === 'number' && NUMBER.test(given)) return value - Number(given);
  if (TIME.test(text) && TIME.test(given)) {
    const difference = Date.parse(text) - Date.parse(given);
    if (!Number.isNaN(difference)) return difference;
  }
  return text < given ? -1 : text > given ? 1 : 0;
}

/** LIKE without a regular expression: one made of a client's pattern could run for ever. */
export function like(text: string, pattern: string): boolean {
  let [t, p, star, mark] = [0, 0, -1, 0];
  while (t < text.length) {
    if (pattern[p] === '%') [star, mark, p] = [p, t, p + 1];
    else if (p < pattern.length && (pattern[p] === '_' || pattern[p] === text[t]))
      [t, p] = [t + 1, p + 1];
    else if (star >= 0) [p, mark, t] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  while (pattern[p] === '%') p += 1;
  return p === pattern.length;
}
