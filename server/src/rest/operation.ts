// One request as one SQL statement, which answers with finished text, the number of rows and the total.
import type { Level, ParsedQuery, SelectItem } from '#/rest/ast.ts';
import { callSql, type CallArguments } from '#/rest/compile-call.ts';
import type { Source } from '#/rest/compile-filter.ts';
import { ReadCompiler, readSql, type Select } from '#/rest/compile-read.ts';
import { deleteSql, insertSql, updateSql } from '#/rest/compile-write.ts';
import { RestError, TOO_LONG, UnknownNameError, badBody } from '#/rest/errors.ts';
import { closest } from '#/rest/closest.ts';
import type { Payload } from '#/rest/payload.ts';
import type { Format, Preferences } from '#/rest/request-head.ts';
import type { Routine } from '#/rest/routines.ts';
import type { Relation, Schema } from '#/rest/schema-cache.ts';
import { Parameters, quote } from '#/rest/sql-text.ts';

export interface Query {
  text: string;
  values: (string | null)[];
}

export interface Operation {
  /** One row: the body's text, the number of rows in it, and the number of all rows (or null). */
  main: Query | null;
  /** EXPLAIN of the rows without a page, where a planned count is wanted. */
  explain: Query | null;
  /** The CSV header line. */
  header: string;
  offset: number;
}

/** What all kinds of requests have in common. */
export interface Wanted {
  query: ParsedQuery;
  preferences: Preferences;
  format: Format;
  /** HEAD: the rows are counted, not written. */
  withoutBody: boolean;
}

/** `rows` make an array; `row` and `value` are single results of functions, `values` a set of scalars. */
type Shape = 'rows' | 'row' | 'value' | 'values';

/** @throws PGRST205 */
export function findRelation(schema: Schema, name: string): Relation {
  const relation = schema.relations.get(name);
  if (relation) return relation;
  const near = closest(name, schema.relations.keys());
  throw new UnknownNameError(
    404,
    'PGRST205',
    `Could not find the table 'public.${name}' in the schema cache`,
    { hint: near === null ? null : `Perhaps you meant the table 'public.${near}'` },
  );
}

function bodySql({ kind, stripNulls }: Format, shape: Shape): string {
  if (kind === 'csv') {
    return shape === 'rows' || shape === 'row'
      ? `string_agg(substring((p.*)::text, 2, length((p.*)::text) - 2), E'\\n')`
      : `string_agg(p.value::text, E'\\n')`;
  }
  const all = shape === 'value' || shape === 'values' ? 'json_agg(p.value)' : 'json_agg(p.*)';
  const one = kind === 'object' || shape === 'row' || shape === 'value';
  const body = one ? `coalesce(${all} -> 0, 'null')` : `coalesce(${all}, '[]')`;
  return `${stripNulls ? `json_strip_nulls(${body})` : body}::text`;
}

function csvHeader({ kind }: Format, { items }: Select, relation: Relation): string {
  if (kind !== 'csv') return '';
  const names = items.flatMap(({ name }) => (name === '*' ? [...relation.columns.keys()] : [name]));
  return names
    .map((name) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
    .join(',');
}

/** The same statement for EXPLAIN, which must not have values that its text does not use. */
function renumbered(text: string, values: readonly (string | null)[]): Query {
  const kept: (string | null)[] = [];
  const positions = new Map<number, number>();
  const result = text.replace(/"(?:[^"]|"")*"|\$(\d+)/g, (whole: string, number?: string) => {
    if (number === undefined) return whole;
    const index = Number(number) - 1;
    if (!positions.has(index)) positions.set(index, kept.push(values[index] ?? null));
    return `$${positions.get(index) ?? 0}`;
  });
  return { text: result, values: kept };
}

/** Embeds multiply; an answer longer than this would fill the host's memory. */
const MAX_ANSWER_BYTES = 32_000_000;

/** The body, or an error inside the statement, which undoes what it wrote: a cast that cannot succeed. */
function guardedSql(): string {
  return `case when octet_length(a.body) > ${MAX_ANSWER_BYTES} then ('${TOO_LONG} ' || a.rows)::int::text else a.body end`;
}

/** Counting stops here for `count=estimated`: beyond, the planner's guess is told. */
export const ESTIMATE_FROM = 1000;

interface Assembly {
  /** CTEs before the SELECT, with their `with`. */
  before: string;
  from: string;
  source: Source;
  select: Select;
  shape: Shape;
}

function assemble(wanted: Wanted, parameters: Parameters, parts: Assembly): Operation {
  const { format, preferences, query, withoutBody } = wanted;
  const { before, source, select, shape } = parts;
  const { page, count } = readSql(parts.from, source, select);
  const { limit, offset } = query.root;
  let total = 'null';
  if (preferences.count === 'exact') total = `(select count(*) ${count})::text`;
  if (preferences.count === 'estimated')
    total = `(select count(*) from (select 1 ${count} limit ${ESTIMATE_FROM + 1}) as c)::text`;
  const body = withoutBody ? 'null::text' : bodySql(format, shape);
  const planned =
    before === '' && (preferences.count === 'planned' || preferences.count === 'estimated');
  if (before !== '' && preferences.count === 'planned')
    total = limit === null && offset === 0 ? 'count(*)::text' : `(select count(*) ${count})::text`;
  return {
    main: {
      text: `${before}select ${withoutBody ? 'a.body' : guardedSql()}, a.rows, a.total from (select ${body} as body, count(*)::text as rows, ${total} as total from (${page}) as p) as a`,
      values: parameters.values,
    },
    explain: planned
      ? renumbered(`explain (format json) select 1 ${count}`, parameters.values)
      : null,
    header: csvHeader(format, select, source.relation),
    offset,
  };
}

/** GET and HEAD of a table or view. */
export function readOperation(schema: Schema, relation: Relation, wanted: Wanted): Operation {
  const parameters = new Parameters();
  const compiler = new ReadCompiler(schema, parameters);
  const source = compiler.source(relation);
  const select = compiler.select(source, wanted.query.select, wanted.query.root, true);
  return assemble(wanted, parameters, {
    before: '',
    from: relation.sql,
    source,
    select,
    shape: 'rows',
  });
}

/** A function call. */
export function callOperation(
  schema: Schema,
  routine: Routine,
  given: CallArguments,
  wanted: Wanted,
): Operation {
  const parameters = new Parameters();
  const call = callSql(routine, given, parameters);
  const compiler = new ReadCompiler(schema, parameters);
  const scalar: Relation = {
    name: routine.name,
    sql: '',
    view: false,
    exposed: false,
    columns: new Map([['value', { name: 'value', type: '', base: '', default: null }]]),
    primaryKey: [],
    computed: new Set(),
  };
  const source = compiler.source(routine.result ?? scalar);
  const all: SelectItem[] = [
    { kind: 'column', field: { name: '*', path: [] }, alias: null, cast: null },
  ];
  const select = compiler.select(
    source,
    routine.result ? wanted.query.select : all,
    wanted.query.root,
    true,
  );
  let shape: Shape = routine.returnsSet ? 'rows' : 'row';
  if (!routine.result) shape = routine.returnsSet ? 'values' : 'value';
  return assemble(
    { ...wanted, withoutBody: wanted.withoutBody || routine.returnsVoid },
    parameters,
    {
      before: `with called as (${call}) `,
      from: 'called',
      source,
      select,
      shape,
    },
  );
}

export type Write = { kind: 'insert' | 'put' | 'update'; payload: Payload } | { kind: 'delete' };

function writeSql(target: Source, write: Write, wanted: Wanted, parameters: Parameters) {
  const { query, preferences } = wanted;
  const { conditions } = query.root;
  if (write.kind === 'delete') return deleteSql(target, conditions, parameters);
  const { payload } = write;
  if (!payload.isObject) throw badBody('The body must be an object or an array of objects');
  if (write.kind === 'update')
    return updateSql(target, { payload, columns: query.columns }, conditions, parameters);
  if (write.kind === 'put') checkPut(target.relation, query, payload);
  const { resolution } = preferences;
  const action = write.kind === 'put' || resolution === 'merge-duplicates' ? 'merge' : 'ignore';
  const upsert = write.kind === 'put' || resolution !== null;
  const missingDefault = preferences.missing === 'default';
  return insertSql(
    target,
    {
      payload,
      columns: query.columns,
      missingDefault,
      conflict: upsert ? { columns: write.kind === 'put' ? null : query.onConflict, action } : null,
    },
    parameters,
  );
}

/** PUT names one row by its whole primary key, in the URL and in the body alike. */
function checkPut({ primaryKey }: Relation, query: ParsedQuery, payload: Payload): void {
  const { conditions, limit, offset } = query.root;
  if (limit !== null || offset > 0) {
    throw new RestError(
      400,
      'PGRST114',
      'limit/offset querystring parameters are not allowed for PUT',
    );
  }
  const keys = new Map<string, string>();
  for (const each of conditions) {
    if (
      each.kind === 'filter' &&
      !each.negated &&
      each.field.path.length === 0 &&
      each.test.kind === 'compare' &&
      each.test.operator === '=' &&
      each.test.quantifier === null
    )
      keys.set(each.field.name, each.test.value);
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

/** POST, PATCH, PUT and DELETE of a table or view; `main` is null where there is nothing to change. */
export function writeOperation(
  schema: Schema,
  relation: Relation,
  write: Write,
  wanted: Wanted,
): Operation {
  const parameters = new Parameters();
  const compiler = new ReadCompiler(schema, parameters);
  const target = compiler.source(relation);
  const sql = writeSql(target, write, wanted, parameters);
  const { root } = wanted.query;
  const representation = wanted.preferences.return;
  if (sql === null) return { main: null, explain: null, header: '', offset: 0 };
  if (representation !== 'representation' && representation !== 'headers-only') {
    return {
      main: {
        text: `with written as (${sql} returning 1) select null, count(*)::text, null from written`,
        values: parameters.values,
      },
      explain: null,
      header: '',
      offset: 0,
    };
  }
  const items: SelectItem[] =
    representation === 'representation'
      ? wanted.query.select
      : relation.primaryKey.map((name) => ({
          kind: 'column',
          field: { name, path: [] },
          alias: null,
          cast: 'text',
        }));
  const source = compiler.source(relation);
  // The conditions chose what was written; embeds keep theirs.
  const level: Level =
    representation === 'representation'
      ? { ...root, conditions: [] }
      : { conditions: [], order: [], limit: null, offset: 0, embeds: new Map() };
  const select = compiler.select(source, items, level, false);
  const names = source.used.has('*')
    ? [
        ...relation.columns.keys(),
        ...[...source.used].filter((name) => relation.computed.has(name)),
      ]
    : [...source.used];
  const returning =
    names.map((name) => `${target.alias}.${quote(name)} as ${quote(name)}`).join(', ') || '1';
  const operation = assemble(
    {
      ...wanted,
      preferences: { ...wanted.preferences, count: null },
      format:
        representation === 'representation'
          ? wanted.format
          : { kind: 'array', stripNulls: false, contentType: '' },
    },
    parameters,
    {
      before: `with written as (${sql} returning ${returning}) `,
      from: 'written',
      source,
      select,
      shape: 'rows',
    },
  );
  return { ...operation, offset: 0 };
}
