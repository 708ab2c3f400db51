// Filters matched against records as PostgreSQL writes them in JSON, with the meaning that they have in SQL.
import type { Filter } from '#/host/filters/ast.ts';
import { likePattern, type Operator } from '#/host/filters/operators.ts';
import { isUuid } from '#/host/lib/uuid.ts';

export type Row = Record<string, unknown>;

/** A value as it is compared and indexed: text; null stays null. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const TIME = /^\d{4}-\d\d-\d\d/;

/** The spelling that PostgreSQL gives a UUID; all else stays as it is. */
const canonical = (given: string): string => (isUuid(given) ? given.toLowerCase() : given);

/** Whether equality with this value is equality of texts; numbers and times have several spellings. */
function hasOneSpelling(value: string): boolean {
  return !TIME.test(value) && (!NUMBER.test(value) || String(Number(value)) === value);
}

/** Below, equal or above 0; numbers by value, times by moment, all else as text. */
function compare(value: unknown, filterValue: string): number {
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
function like(text: string, pattern: string): boolean {
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

/** What can be evaluated here; the others need PostgreSQL. */
const EVALUATORS: Partial<Record<Operator, (value: unknown, given: string) => boolean>> = {
  eq: (value, given) => compare(value, given) === 0,
  neq: (value, given) => compare(value, given) !== 0,
  lt: (value, given) => compare(value, given) < 0,
  lte: (value, given) => compare(value, given) <= 0,
  gt: (value, given) => compare(value, given) > 0,
  gte: (value, given) => compare(value, given) >= 0,
  like: (value, given) => like(textOf(value) ?? '', likePattern(given)),
  ilike: (value, given) =>
    like((textOf(value) ?? '').toLowerCase(), likePattern(given).toLowerCase()),
};

/** Whether `matches` can evaluate a filter. */
export function isMatchable({ field, test }: Filter): boolean {
  if (field.path.length > 0) return false;
  switch (test.kind) {
    case 'is':
    case 'in':
      return true;
    case 'search':
      return false;
    case 'compare':
      return (
        test.quantifier === null && (test.operator === 'isdistinct' || test.operator in EVALUATORS)
      );
  }
}

/** As in SQL, null where the answer is neither yes nor no. */
function holds({ test }: Filter, value: unknown): boolean | null {
  const text = textOf(value);
  switch (test.kind) {
    case 'is':
      if (test.value === 'null' || test.value === 'unknown') return text === null;
      return test.value === 'not_null' ? text !== null : text === test.value;
    case 'in':
      return text === null ? null : test.values.some((one) => compare(value, one) === 0);
    case 'search':
      return null;
    case 'compare': {
      // The official client writes null as a word.
      if (test.operator === 'isdistinct')
        return test.value === 'null' || text === null
          ? (test.value === 'null') !== (text === null)
          : compare(value, test.value) !== 0;
      return text === null ? null : (EVALUATORS[test.operator]?.(value, test.value) ?? null);
    }
  }
}

/** Whether a record fulfils all filters; a column that it does not have fulfils none. */
export function matches(filters: Filter[], record: Row): boolean {
  return filters.every((filter) => {
    if (!(filter.field.name in record)) return false;
    const answer = holds(filter, record[filter.field.name]);
    return answer !== null && answer !== filter.negated;
  });
}

/**
 * The values, as texts, of which a column must have one for a record to match; null where a filter does not say so.
 * Subscriptions are found by them.
 */
export function requiredTexts(filters: Filter[]): { column: string; values: string[] } | null {
  for (const { field, negated, test } of filters) {
    if (negated || field.path.length > 0) continue;
    const isEquality = test.kind === 'compare' && test.operator === 'eq' && !test.quantifier;
    if (!isEquality && test.kind !== 'in') continue;
    const values = (test.kind === 'in' ? test.values : [test.value]).map(canonical);
    return values.every(hasOneSpelling) ? { column: field.name, values } : null;
  }
  return null;
}
