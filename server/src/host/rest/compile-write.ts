// Compiles INSERT, UPDATE and DELETE. Rows come from the JSON body, which PostgreSQL parses, and conditions from the URL.
import type { Condition } from '#/host/filters/ast.ts';
import type { Payload } from '#/host/rest/payload.ts';
import { conditionSql, type Source } from '#/host/rest/compile-filter.ts';
import type { ParsedQuery } from '#/host/rest/parsed-query.ts';
import { RestError, UnknownNameError, badBody, unknownColumn } from '#/host/rest/errors.ts';
import type { Column, Relation } from '#/host/rest/schema-cache.ts';
import { quote, type Parameters } from '#/host/rest/sql-text.ts';
import type { RequestOptions } from '#/host/rest/statement.ts';

interface InsertOptions {
  payload: Payload;
  /** The `columns` parameter. Other keys of the body are ignored. */
  columns: string[] | null;
  /** True if missing keys of a row get the column's default instead of null. */
  missingDefault: boolean;
  conflict: { columns: string[] | null; action: 'merge' | 'ignore' } | null;
}

const payloadColumns = (relation: Relation, names: string[]): Column[] =>
  names.map((name) => {
    const column = relation.columns.get(name);
    if (column) return column;
    throw new UnknownNameError(
      400,
      'PGRST204',
      `Could not find the '${name}' column of '${relation.name}' in the schema cache`,
    );
  });

const list = (columns: Column[]) => columns.map(({ name }) => quote(name)).join(', ');

const definitions = (columns: Column[]) =>
  columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ');

/** Returns the body's rows as a FROM item named `b`. */
function rowsSql(payload: Payload, columns: Column[], defaults: boolean, parameters: Parameters) {
  const body = parameters.add(payload.text);
  const filled = columns.filter((column) => defaults && column.default !== null);
  if (filled.length > 0) {
    const values = filled.map(
      ({ name, default: value }) => `'${name.replaceAll("'", "''")}', ${value ?? 'null'}`,
    );
    const rows = payload.isArray ? `${body}::jsonb` : `jsonb_build_array(${body}::jsonb)`;
    return `jsonb_to_recordset((select jsonb_agg(jsonb_build_object(${values.join(', ')}) || e) from jsonb_array_elements(${rows}) as e)) as b(${definitions(columns)})`;
  }
  const expand = payload.isArray ? 'json_to_recordset' : 'json_to_record';
  return `${expand}(${body}::json) as b(${definitions(columns)})`;
}

/**
 * SQL that is always true and counts the rows of an upsert that already existed. The count is stored in a setting of the
 * transaction.
 */
const COUNT_MERGED = `set_config('packpark.merged', (coalesce(nullif(current_setting('packpark.merged', true), ''), '0')::int + 1)::text, true) is not null`;

/** Reads the count of COUNT_MERGED as text; null if no row was counted. */
export const MERGED_COUNT_SQL = `nullif(current_setting('packpark.merged', true), '')`;

function conflictSql(
  relation: Relation,
  columns: Column[],
  conflict: InsertOptions['conflict'],
): string {
  if (!conflict) return '';
  const names = conflict.columns ?? relation.primaryKey;
  for (const name of names)
    if (!relation.columns.has(name)) throw unknownColumn(relation.name, name);
  if (names.length === 0) return conflict.action === 'ignore' ? ' on conflict do nothing' : '';
  const target = ` on conflict (${names.map(quote).join(', ')})`;
  if (conflict.action === 'ignore' || columns.length === 0) return `${target} do nothing`;
  const sets = columns.map(({ name }) => `${quote(name)} = excluded.${quote(name)}`);
  return `${target} do update set ${sets.join(', ')} where ${COUNT_MERGED}`;
}

/** @throws PGRST204, 42703 */
function insertSql(target: Source, options: InsertOptions, parameters: Parameters): string {
  const { relation, alias } = target;
  const { payload } = options;
  const columns = payloadColumns(relation, options.columns ?? payload.keys);
  const into = `insert into ${relation.sql} as ${alias}`;
  if (columns.length > 0) {
    const rows = rowsSql(payload, columns, options.missingDefault, parameters);
    const values = columns.map(({ name }) => `b.${quote(name)}`).join(', ');
    return `${into} (${list(columns)}) select ${values} from ${rows}${conflictSql(relation, columns, options.conflict)}`;
  }
  if (payload.rows > 1) throw badBody('Several rows need at least one key');
  if (payload.rows === 1) return `${into} default values`;
  // Inserting an empty array is not an error.
  return `${into} select t.* from ${relation.sql} as t where false`;
}

function whereSql(verb: string, target: Source, conditions: Condition[], parameters: Parameters) {
  if (conditions.length === 0) {
    // Supabase loads pg-safeupdate for its API roles, so that a request without a filter cannot empty a table. This host has the
    // same rule.
    throw new RestError(400, '21000', `${verb} requires a WHERE clause`);
  }
  return ` where ${conditions.map((each) => conditionSql(target, each, parameters)).join(' and ')}`;
}

/**
 * @returns null if the body sets nothing
 * @throws PGRST204, 42703, 21000
 */
function updateSql(
  target: Source,
  { payload, columns: wanted }: Pick<InsertOptions, 'payload' | 'columns'>,
  conditions: Condition[],
  parameters: Parameters,
): string | null {
  const columns = payloadColumns(target.relation, wanted ?? payload.keys);
  if (payload.rows > 1) throw badBody('An update takes one object');
  if (columns.length === 0 || payload.rows === 0) return null;
  const rows = rowsSql(payload, columns, false, parameters);
  const sets = columns.map(({ name }) => `${quote(name)} = b.${quote(name)}`).join(', ');
  const where = whereSql('UPDATE', target, conditions, parameters);
  return `update ${target.relation.sql} as ${target.alias} set ${sets} from ${rows}${where}`;
}

/** @throws 42703, 21000 */
function deleteSql(target: Source, conditions: Condition[], parameters: Parameters): string {
  return `delete from ${target.relation.sql} as ${target.alias}${whereSql('DELETE', target, conditions, parameters)}`;
}

export type Write = { type: 'insert' | 'put' | 'update'; payload: Payload } | { type: 'delete' };

/** The alias of the table that is changed. */
export const TARGET = 'target';

/** PUT must identify one row by its whole primary key, with equal values in the URL and in the body. */
function checkPut({ primaryKey }: Relation, query: ParsedQuery, payload: Payload): void {
  const { conditions } = query.root;
  const keys = new Map<string, string>();
  for (const each of conditions) {
    if (each.type !== 'filter' || each.negated || each.field.path.length > 0) continue;
    if (each.test.equals !== undefined) keys.set(each.field.name, each.test.equals);
  }
  const complete =
    primaryKey.length > 0 &&
    keys.size === primaryKey.length &&
    conditions.length === keys.size &&
    primaryKey.every((name) => keys.has(name));
  if (!complete) {
    throw new RestError(
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    );
  }
  const parsed: unknown = JSON.parse(payload.text);
  const rows = Array.isArray(parsed) ? (parsed as unknown[]) : [parsed];
  const [row] = rows as Record<string, unknown>[];
  if (rows.length !== 1 || !primaryKey.every((name) => String(row?.[name]) === keys.get(name))) {
    throw new RestError(
      400,
      'PGRST115',
      'Payload values do not match URL in primary key column(s)',
    );
  }
}

/**
 * Compiles the INSERT, UPDATE or DELETE of a request, without RETURNING.
 * @returns null if there is nothing to change
 * @throws PGRST102, PGRST105, PGRST115, PGRST204, 42703, 21000
 */
export function writeSql(
  relation: Relation,
  write: Write,
  { query, preferences }: Pick<RequestOptions, 'query' | 'preferences'>,
  parameters: Parameters,
): string | null {
  const target: Source = { relation, alias: TARGET, used: new Set() };
  const { columns, onConflict, root } = query;
  if (write.type === 'delete') return deleteSql(target, root.conditions, parameters);
  const { type, payload } = write;
  if (!payload.isObject) throw badBody('The body must be an object or an array of objects');
  if (type === 'update')
    return updateSql(target, { payload, columns }, root.conditions, parameters);
  if (type === 'put') checkPut(relation, query, payload);
  const { resolution, missing } = preferences;
  const merges = type === 'put' || resolution === 'merge-duplicates';
  const conflict =
    type === 'put' || resolution !== null
      ? {
          columns: type === 'put' ? null : onConflict,
          action: merges ? ('merge' as const) : ('ignore' as const),
        }
      : null;
  const missingDefault = missing === 'default';
  return insertSql(target, { payload, columns, missingDefault, conflict }, parameters);
}
