// Limits the size of a response. Embeds multiply rows, so rows are measured one by one before they are aggregated. Measuring the
// complete text would be too late, because it could fill the memory of PostgreSQL's backend process.
import type { SelectItem } from '#/host/rest/parsed-query.ts';

/** The host holds each response in memory. */
const MAX_RESPONSE_BYTES = 32_000_000;
/** Limit for anonymous callers, enough for 1000 rows with details, so that a short URL does not cost the host many megabytes. */
const MAX_ANONYMOUS_BYTES = 2_000_000;

export const maxReadBytes = (anonymous: boolean): number =>
  anonymous ? MAX_ANONYMOUS_BYTES : MAX_RESPONSE_BYTES;

const embedsOf = (items: SelectItem[]): number =>
  items.reduce((sum, item) => sum + (item.type === 'embed' ? 1 + embedsOf(item.items) : 0), 0);

/** Returns the limit of each embed for one row of its parent. All embeds are in memory at the same time. */
export const embedBytes = (items: SelectItem[]): number =>
  Math.floor(MAX_RESPONSE_BYTES / Math.max(1, embedsOf(items)));

/**
 * Returns SQL that raises an error above the limit. The function has an argument, because PostgreSQL would evaluate a call without
 * arguments when it plans the statement.
 */
const checkSql = (bytes: string, max: number, type: string, otherwise: string): string =>
  `case when ${bytes} > ${max} then packpark_host.reject_response_size(${bytes})::${type} else ${otherwise} end`;

/** Returns SQL for `body` that raises an error above the limit. */
export const checkedSql = (body: string, bytes = MAX_RESPONSE_BYTES): string =>
  checkSql(`octet_length(${body})`, bytes, 'text', body);

/**
 * Returns SQL that is true for each row, and raises an error when the total size of the rows exceeds the limit. `value` is the SQL
 * of a row.
 */
const fits = (value: string, max: number): string =>
  checkSql(`sum(pg_column_size(${value})) over (rows unbounded preceding)`, max, 'boolean', 'true');

/** Returns SQL that reads `rows` (one column `j`) and raises an error above the limit. */
export const measuredSql = (rows: string, bytes = MAX_RESPONSE_BYTES): string =>
  `select case when ${fits('r.j', bytes)} then r.j end as j from (${rows}) as r`;

/**
 * Returns SQL for `rows` with an additional column `packpark_fits`, which is always true. The outer query must select this column,
 * because otherwise PostgreSQL does not evaluate the check.
 */
export const measuredColumnsSql = (rows: string, bytes: number): string =>
  `select r.*, ${fits('row_to_json(r.*)', bytes)} as packpark_fits from (${rows}) as r`;
