// Compares values of records in PostgreSQL's JSON format with the values of filters, with the same result as in SQL.
import { isUuid } from '#/host/lib/uuid.ts';

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const TIME = /^\d{4}-\d\d-\d\d/;

/** Converts a value to the text that is compared and indexed; null stays null. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns UUIDs in lower case, as PostgreSQL writes them, and other values unchanged. */
export const canonical = (given: string): string => (isUuid(given) ? given.toLowerCase() : given);

/**
 * Returns true if values are equal to this one only if their texts are equal. Most numbers and all timestamps can be written in
 * several ways.
 */
export const hasOneSpelling = (value: string): boolean =>
  !TIME.test(value) && (!NUMBER.test(value) || String(Number(value)) === value);

/** Returns a number below, equal to or above 0. Numbers are compared by value, timestamps by instant, everything else as text. */
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

/**
 * Evaluates LIKE without a regular expression. The client chooses the pattern, and a regular expression could take exponential
 * time.
 */
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
