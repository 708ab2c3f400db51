// Filters of a subscription, such as `receiver_id=eq.42` or `rank=gte.3,kind=in.(a,b)`: read once, matched against records.
import { isUuid } from '#/host/lib/uuid.ts';

export type Row = Record<string, unknown>;

export interface Condition {
  column: string;
  operator:
    'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte' | 'in' | 'like' | 'ilike' | 'is' | 'isdistinct';
  negated: boolean;
  values: string[];
}

const CONDITION =
  /^([a-z_][a-z0-9_]*)=(not\.)?(eq|neq|lt|lte|gt|gte|in|like|ilike|is|isdistinct)\.(.*)$/is;

/** Splits at commas outside of quotes and parentheses. */
function split(text: string): string[] {
  const parts = [''];
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i] ?? '';
    if (character === '\\' && quoted) {
      parts.push(`${parts.pop()}${character}${text[(i += 1)] ?? ''}`);
      continue;
    }
    if (character === '"') quoted = !quoted;
    else if (!quoted && character === '(') depth += 1;
    else if (!quoted && character === ')') depth -= 1;
    if (character === ',' && !quoted && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${character}`);
  }
  return parts;
}

function unquote(text: string): string {
  if (/^".*"$/s.test(text)) return text.slice(1, -1).replace(/\\(.)/gs, '$1');
  return isUuid(text) ? text.toLowerCase() : text;
}

/** Reads a filter; null for one that is not understood. No filter is no condition. */
export function parseFilter(filter: string | undefined): Condition[] | null {
  if (filter === undefined || filter === '') return [];
  if (filter.length > 4096) return null;
  const conditions: Condition[] = [];
  for (const part of split(filter)) {
    const match = CONDITION.exec(part);
    if (!match) return null;
    const [, column = '', not, operator = '', value = ''] = match;
    const list = operator.toLowerCase() === 'in';
    if (list && !/^\(.*\)$/s.test(value)) return null;
    const values = list ? split(value.slice(1, -1)).map(unquote) : [unquote(value)];
    if (values.length > 100) return null;
    conditions.push({
      column,
      operator: operator.toLowerCase() as Condition['operator'],
      negated: not !== undefined,
      values,
    });
  }
  return conditions;
}

/** A value as it is compared and indexed: text; null stays null. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const TIME = /^\d{4}-\d\d-\d\d/;

/** Whether equality with this value is equality of texts; numbers and times have several spellings. */
export function isCanonical(value: string): boolean {
  return !TIME.test(value) && (!NUMBER.test(value) || String(Number(value)) === value);
}

/** Below, equal or above 0; numbers by value, times by moment, all else as text. */
function compare(value: unknown, given: string): number {
  const text = textOf(value) ?? '';
  if (typeof value === 'number' && NUMBER.test(given)) return value - Number(given);
  if (TIME.test(text) && TIME.test(given)) {
    const difference = Date.parse(text) - Date.parse(given);
    if (!Number.isNaN(difference)) return difference;
  }
  return text < given ? -1 : text > given ? 1 : 0;
}

/** LIKE by hand: a regular expression made of a stranger's pattern could run for ever. */
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

function holds(condition: Condition, value: unknown): boolean | null {
  const [given = ''] = condition.values;
  const text = textOf(value);
  switch (condition.operator) {
    case 'is':
      return given === 'null' ? text === null : text === given;
    case 'isdistinct':
      return text !== (given === 'null' ? null : given);
  }
  // As in SQL: a comparison with null is neither true nor false.
  if (text === null) return null;
  switch (condition.operator) {
    case 'eq':
      return compare(value, given) === 0;
    case 'neq':
      return compare(value, given) !== 0;
    case 'lt':
      return compare(value, given) < 0;
    case 'lte':
      return compare(value, given) <= 0;
    case 'gt':
      return compare(value, given) > 0;
    case 'gte':
      return compare(value, given) >= 0;
    case 'in':
      return condition.values.some((one) => compare(value, one) === 0);
    case 'like':
      return like(text, given);
    case 'ilike':
      return like(text.toLowerCase(), given.toLowerCase());
  }
}

/** Whether a record fulfils all conditions; a column that it does not have fulfils none. */
export function matches(conditions: Condition[], record: Row): boolean {
  return conditions.every((condition) => {
    if (!(condition.column in record)) return false;
    const answer = holds(condition, record[condition.column]);
    return answer !== null && answer !== condition.negated;
  });
}
