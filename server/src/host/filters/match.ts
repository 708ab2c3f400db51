// Matches filters against records, given as PostgreSQL writes them in JSON, with the same meaning as in SQL.
import type { Filter } from '#/host/filters/ast.ts';
import { canonical, hasOneSpelling } from '#/host/filters/values.ts';

export type Row = Record<string, unknown>;

export const isMatchable = ({ field, test }: Filter): boolean =>
  field.path.length === 0 && test.holds !== undefined;

/** Returns true if a record matches all filters; a missing column matches none. */
export const matches = (filters: Filter[], record: Row): boolean =>
  filters.every((filter) => {
    if (!(filter.field.name in record)) return false;
    const result = filter.test.holds?.(record[filter.field.name]) ?? null;
    return result !== null && result !== filter.negated;
  });

/**
 * Returns a column and a list of texts: a record can match only if the column has one of them. Null if no filter requires that.
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
