// Limits the size of a response. Embeds multiply rows, so rows are measured one by one before they are aggregated. Otherwise a text
// that is too long would fill the memory of PostgreSQL's backend process.
import type { SelectItem } from '#/host/rest/parsed-query.ts';

/** A longer response would fill the host's memory. */
const MAX_RESPONSE_BYTES = 32_000_000;
/** Maximum of a read by an anonymous caller, because a short URL must not cost the host megabytes: 1000 rows with their details. */
const MAX_ANONYMOUS_BYTES = 2_000_000;

export const maxReadBytes = (anonymous: boolean): number =>
  anonymous ? MAX_ANONYMOUS_BYTES : MAX_RESPONSE_BYTES;

const embedsOf = (items: SelectItem[]): number =>
  items.reduce((sum, item) => sum + (item.kind === 'embed' ? 1 + embedsOf(item.items) : 0), 0);

/** The limit of each embed for one row of its parent. All embeds are in memory at the same time. */
export const embedBytes = (items: SelectItem[]): number =>
  Math.floor(MAX_RESPONSE_BYTES / Math.max(1, embedsOf(items)));

/**
 * SQL that raises an error if there are more bytes than allowed. The function has an argument because PostgreSQL would evaluate a
 * call without one when it plans the statement.
 */
const checkSql = (bytes: string, max: number, type: string, otherwise: string): string =>
  `case when ${bytes} > ${max} then packpark_host.reject_response_size(${bytes})::${type} else ${otherwise} end`;

/** SQL for the body `body` if it is within the limit. */
export const checkedSql = (body: string, bytes = MAX_RESPONSE_BYTES): string =>
  checkSql(`octet_length(${body})`, bytes, 'text', body);

/** SQL that is true while the rows so far, each as `value`, are within the limit. */
const fits = (value: string, max: number): string =>
  checkSql(`sum(pg_column_size(${value})) over (rows unbounded preceding)`, max, 'boolean', 'true');

/** The rows of `rows`, which have one column `j`, as long as they are within the limit. */
export const measuredSql = (rows: string, bytes = MAX_RESPONSE_BYTES): string =>
  `select case when ${fits('r.j', bytes)} then r.j end as j from (${rows}) as r`;

/**
 * The rows of `rows` with an additional column `packpark_fits`, which is true. The outer query must read this column, because
 * otherwise PostgreSQL would not evaluate the check.
 */
export const measuredColumnsSql = (rows: string, bytes: number): string =>
  `select r.*, ${fits('row_to_json(r.*)', bytes)} as packpark_fits from (${rows}) as r`;
