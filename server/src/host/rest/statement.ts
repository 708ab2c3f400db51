// Builds the SQL statement of a request. It returns one row with the complete text of the response, the number of rows and the
// total.
import type { Rows, Statement } from '#/host/db/batch.ts';
import { checkedSql, maxReadBytes, measuredSql } from '#/host/rest/response-size.ts';
import { ALL, emptyLevel, type ParsedQuery, type SelectItem } from '#/host/rest/parsed-query.ts';
import { callSql, type CallArguments } from '#/host/rest/compile-call.ts';
import { compileRows, type RowQuery } from '#/host/rest/compile-read.ts';
import { MERGED_COUNT_SQL, TARGET, writeSql, type Write } from '#/host/rest/compile-write.ts';
import { RestError } from '#/host/rest/errors.ts';
import { RESPONSE_SETTINGS_SQL } from '#/host/rest/response-settings.ts';
import type { Format, Preferences } from '#/host/rest/request-headers.ts';
import { rowsOf, type Routine } from '#/host/rest/routines.ts';
import type { Relation, Schema } from '#/host/rest/schema-cache.ts';
import { Parameters, quote } from '#/host/rest/sql-text.ts';

export interface RequestOptions {
  query: ParsedQuery;
  preferences: Preferences;
  format: Format;
  /** Anonymous callers have stricter limits for embeds. */
  anonymous: boolean;
  /** True for HEAD: the rows are only counted. */
  withoutBody: boolean;
}

const RESULT_COLUMNS = ['body', 'rows', 'total', 'settings', 'merged'] as const;

/**
 * The row that a statement returns: the text of the body, the number of rows in the body, the number of all rows, the response
 * settings, and for an upsert the number of rows that already existed.
 */
type ResultRow<T> = Record<(typeof RESULT_COLUMNS)[number], T>;

const resultSql = (columns: ResultRow<string>): string =>
  `select ${RESULT_COLUMNS.map((name) => `${columns[name]} as ${name}`).join(', ')}`;

/** Converts the values of `RequestStatement.main` to an object. */
export const readResult = (values: Rows[number] = []): ResultRow<string | null> => {
  const [body = null, rows = null, total = null, settings = null, merged = null] = values;
  return { body, rows, total, settings, merged } satisfies ResultRow<string | null>;
};

export interface RequestStatement {
  /** Null if the request changes nothing. */
  main: Statement | null;
  /** EXPLAIN of all rows regardless of the page, for a count by the planner's estimate. */
  explain: Statement | null;
  header: string;
}

/** `rows` is an array of rows; `row` and `value` are single results of functions, and `values` is a set of scalars. */
type Shape = 'rows' | 'row' | 'value' | 'values';

/** Returns SQL for one row as it appears in the response body; `p` is the alias of the page. */
function rowSql({ type }: Format, shape: Shape): string {
  const scalar = shape === 'value' || shape === 'values';
  if (type !== 'csv') return scalar ? 'p.value' : 'p.*';
  return scalar ? 'p.value::text' : 'substring((p.*)::text, 2, length((p.*)::text) - 2)';
}

function bodySql({ type, stripNulls }: Format, shape: Shape, row: string): string {
  if (type === 'csv') return `string_agg(${row}, E'\\n')`;
  const one = type === 'object' || shape === 'row' || shape === 'value';
  // The aggregate is an array of PostgreSQL, because extracting the first element of a JSON array would parse its text again.
  const body = one
    ? `coalesce((array_agg(to_json(${row})))[1], 'null')`
    : `coalesce(json_agg(${row}), '[]')`;
  return `${stripNulls ? `json_strip_nulls(${body})` : body}::text`;
}

const csvHeader = ({ type }: Format, names: string[]): string =>
  type === 'csv'
    ? names
        .map((name) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
        .join(',')
    : '';

/** Renumbers the parameters for EXPLAIN. PostgreSQL rejects parameters that the text does not use. */
function renumbered(text: string, values: readonly (string | null)[]): Statement {
  const used: (string | null)[] = [];
  const positions = new Map<number, number>();
  const result = text.replace(/"(?:[^"]|"")*"|\$(\d+)/g, (whole: string, number?: string) => {
    if (number === undefined) return whole;
    const index = Number(number) - 1;
    if (!positions.has(index)) positions.set(index, used.push(values[index] ?? null));
    return `$${positions.get(index) ?? 0}`;
  });
  return { text: result, values: used };
}

/** `count=estimated` and `planned` count up to this many rows. Above that, the planner's estimate is returned. */
export const ESTIMATE_FROM = 1000;

/** Returns SQL for the number of all rows, and whether the planner's estimate is also needed. */
function totalSql({ count }: Preferences, all: string, canEstimate: boolean) {
  if (count === null) return { total: 'null', estimate: false };
  if (count === 'exact' || !canEstimate)
    return { total: `(select count(*) ${all})::text`, estimate: false };
  // Up to ESTIMATE_FROM rows are counted exactly. Beyond that, the response may contain the planner's estimate, which includes rows
  // that the caller may not see.
  const counted = `select 1 ${all} limit ${ESTIMATE_FROM + 1}`;
  return { total: `(select count(*) from (${counted}) as c)::text`, estimate: true };
}

interface Parts {
  /** A WITH clause that is executed before the rows are read. The planner can estimate the number of rows only if there is none. */
  before?: string;
  rows: RowQuery;
  shape: Shape;
  /** Maximum size of the response, if it differs from the general limit. */
  bytes?: number;
  /** SQL for the number of rows of an upsert that already existed. */
  merged?: string;
}

/** Builds the complete statement around the query of the rows. */
function respond(
  { format, preferences, withoutBody }: Omit<RequestOptions, 'query'>,
  { values }: Parameters,
  { before = '', rows, shape, bytes, merged = 'null' }: Parts,
): RequestStatement {
  const { total, estimate } = totalSql(preferences, rows.all, before === '');
  const row = rowSql(format, shape);
  const measured = rows.mayGrow && !withoutBody;
  const json = format.type === 'csv' ? row : `to_json(${row})`;
  const page = `(${rows.page}) as p`;
  const from = measured ? `(${measuredSql(`select ${json} as j from ${page}`, bytes)}) as m` : page;
  const body = withoutBody ? 'null::text' : bodySql(format, shape, measured ? 'm.j' : row);
  const inner = `select ${body} as body, count(*)::text as rows, ${total} as total, ${merged} as merged from ${from}`;
  const outer = resultSql({
    body: withoutBody ? 'a.body' : checkedSql('a.body', bytes),
    rows: 'a.rows',
    total: 'a.total',
    settings: RESPONSE_SETTINGS_SQL,
    merged: 'a.merged',
  });
  return {
    main: { text: `${before}${outer} from (${inner}) as a`, values },
    explain: estimate ? renumbered(`explain (format json) select 1 ${rows.all}`, values) : null,
    header: csvHeader(format, rows.names),
  };
}

export function readStatement(
  schema: Schema,
  relation: Relation,
  options: RequestOptions,
): RequestStatement {
  const { query, anonymous } = options;
  const parameters = new Parameters();
  const rows = compileRows(schema, parameters, {
    relation,
    from: relation.sql,
    items: query.select,
    level: query.root,
    capped: true,
    anonymous,
  });
  return respond(options, parameters, { rows, shape: 'rows', bytes: maxReadBytes(anonymous) });
}

export function callStatement(
  schema: Schema,
  routine: Routine,
  given: CallArguments,
  options: RequestOptions,
): RequestStatement {
  const { query, anonymous, withoutBody } = options;
  const parameters = new Parameters();
  const call = callSql(routine, given, parameters);
  const scalar = { name: 'value', type: '', base: '', default: null };
  const rows = compileRows(schema, parameters, {
    relation: routine.result ?? rowsOf(routine.name, [scalar]),
    from: 'called',
    items: routine.result ? query.select : ALL,
    level: query.root,
    capped: true,
    anonymous,
  });
  const one = routine.result ? 'row' : 'value';
  return respond({ ...options, withoutBody: withoutBody || routine.returnsVoid }, parameters, {
    before: `with called as (${call}) `,
    rows,
    shape: routine.returnsSet ? `${one}s` : one,
  });
}

/** Returns the columns of the new row's primary key, for the `Location` header. */
const keyItems = ({ primaryKey }: Relation): SelectItem[] =>
  primaryKey.map((name) => ({
    type: 'column',
    field: { name, path: [] },
    alias: null,
    cast: 'text',
  }));

/** Builds the statement for POST, PATCH, PUT and DELETE of a table or view. */
export function writeStatement(
  schema: Schema,
  relation: Relation,
  write: Write,
  options: RequestOptions,
): RequestStatement {
  const { query, preferences, format, anonymous } = options;
  const { root } = query;
  // A limit of the returned rows would hide rows that were written, so it is rejected.
  if (root.limit !== null || root.offset > 0)
    throw new RestError(
      400,
      'PGRST114',
      'limit/offset querystring parameters are not allowed for writes',
    );
  const parameters = new Parameters();
  const sql = writeSql(relation, write, options, parameters);
  if (sql === null) return { main: null, explain: null, header: '' };
  const upserts =
    write.type === 'put' ||
    (write.type === 'insert' && preferences.resolution === 'merge-duplicates');
  // The count is selected in the same statement, so it is read after all rows have been written.
  const merged = upserts ? MERGED_COUNT_SQL : 'null';
  const returnsRows = preferences.return === 'representation';
  if (!returnsRows && preferences.return !== 'headers-only') {
    const result = resultSql({
      body: 'null',
      rows: 'count(*)::text',
      total: 'null',
      settings: RESPONSE_SETTINGS_SQL,
      merged,
    });
    const text = `with written as (${sql} returning 1) ${result} from written`;
    return {
      main: { text, values: parameters.values },
      explain: null,
      header: '',
    };
  }
  const rows = compileRows(schema, parameters, {
    relation,
    from: 'written',
    items: returnsRows ? query.select : keyItems(relation),
    // The table's own conditions already selected the written rows, so only the conditions of embeds apply here.
    level: returnsRows ? { ...root, conditions: [] } : emptyLevel(),
    capped: false,
    anonymous,
  });
  const columns = new Set(rows.used.has('*') ? relation.columns.keys() : []);
  for (const name of rows.used) if (name !== '*') columns.add(name);
  const returning = [...columns]
    .map((name) => `${TARGET}.${quote(name)} as ${quote(name)}`)
    .join(', ');
  return respond(
    {
      ...options,
      preferences: { ...preferences, count: null },
      format: returnsRows ? format : { type: 'array', stripNulls: false, contentType: '' },
    },
    parameters,
    {
      before: `with written as (${sql} returning ${returning || '1'}) `,
      rows,
      shape: 'rows',
      merged,
    },
  );
}
