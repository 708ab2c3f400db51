// How long an answer may get. Rows are measured one by one before they are put together: embeds multiply, and a text that
// is too long would fill the memory of its backend before anybody could look at it.
import type { SelectItem } from '#/host/rest/parsed-query.ts';
import { TOO_LONG } from '#/host/rest/errors.ts';

/** A longer answer would fill the host's memory. */
export const MAX_ANSWER_BYTES = 32_000_000;

const embedsOf = (items: SelectItem[]): number =>
  items.reduce((sum, item) => sum + (item.kind === 'embed' ? 1 + embedsOf(item.items) : 0), 0);

/** What each embed of a request may have for one row of its parent: all of them are in memory at the same time. */
export const embedBytes = (items: SelectItem[]): number =>
  Math.floor(MAX_ANSWER_BYTES / Math.max(1, embedsOf(items)));

/** SQL for what is not null while the rows so far, each as `value`, have at most so many bytes; beyond, it fails. */
function fits(value: string, bytes: number): string {
  const sum = `sum(pg_column_size(${value})) over (rows unbounded preceding)`;
  return `case when ${sum} > ${bytes} then ('${TOO_LONG} ' || ${sum})::int else 1 end`;
}

/** The rows of `rows`, which have one column `j`, as long as they fit. */
export const measuredSql = (rows: string, bytes: number): string =>
  `select case when ${fits('r.j', bytes)} = 1 then r.j end as j from (${rows}) as r`;

/** The rows of `rows` with a column `packpark_fits`, which is true and has to be looked at. */
export const measuredColumnsSql = (rows: string, bytes: number): string =>
  `select r.*, ${fits('row_to_json(r.*)', bytes)} = 1 as packpark_fits from (${rows}) as r`;
