// Matches filters against records in PostgreSQL's JSON format, with the same result as in SQL.
import type { Filter } from '#/host/filters/ast.ts';
import { canonical, hasOneSpelling } from '#/host/filters/values.ts';

export type Row = Record<string, unknown>;

export const isMatchable = ({ field, test }: Filter): boolean =>
  field.path.length === 0 && test.holds !== undefined;

/** Returns true if a record matches all filters. A filter on a missing column matches nothing. */
export const matches = (filters: Filter[], record: Row): boolean =>
  filters.every((filter) => {
    if (!(filter.field.name in record)) return false;
    const result = filter.test.holds?.(record[filter.field.name]) ?? null;
    return result !== null && result !== filter.negated;
  });

/**
 * Returns a column and the only texts with which a record can match; null if the filters do not restrict a column to certain texts.
 * Subscriptions are indexed by these texts.
 */
export function requiredTexts(filters: Filter[]): { column: string; values: string[] } | null {
  for (const { field, negated, test } of filters) {
    if (negated || field.path.length > 0 || !test.oneOf) continue;
    const values = test.oneOf.map(canonical);
    return values.every(hasOneSpelling) ? { column: field.name, values } : null;
  }
  return null;
}
