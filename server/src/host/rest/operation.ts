// One request as one SQL statement, and for a planned count one more, which answers with finished text, the number of rows and the total.
import type { Statement } from '#/host/db/batch.ts';
import { MAX_ANSWER_BYTES, measuredSql } from '#/host/rest/answer-size.ts';
import { ALL, type ParsedQuery } from '#/host/rest/parsed-query.ts';
import { callSql, type CallArguments } from '#/host/rest/compile-call.ts';
import type { Source } from '#/host/rest/compile-filter.ts';
import { columnNames, ReadCompiler, readSql, type Select } from '#/host/rest/compile-read.ts';
import { TOO_LONG, UnknownNameError } from '#/host/rest/errors.ts';
import { closest } from '#/host/rest/closest.ts';
import { RESPONSE_SETTINGS_SQL } from '#/host/rest/response-settings.ts';
import type { Format, Preferences } from '#/host/rest/request-head.ts';
import { rowsOf, type Routine } from '#/host/rest/routines.ts';
import type { Relation, Schema } from '#/host/rest/schema-cache.ts';
import { Parameters } from '#/host/rest/sql-text.ts';

export interface Operation {
  /** One row: the body's text, the number of rows in it, that of all rows, response settings, and the number of merged ones. */
  main: Statement | null;
  /** EXPLAIN of the rows without a page, where a planned count is wanted. */
  explain: Statement | null;
  header: string;
  offset: number;
  /** Whether its code may look at the request, or set the status and the headers of the answer. */
  usesRequest: boolean;
}

export interface Wanted {
  query: ParsedQuery;
  preferences: Preferences;
  format: Format;
  /** Whether the caller is anonymous: such callers may embed less. */
  anonymous: boolean;
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

/** One row of the page `p`, as what is put together to the body. */
function rowSql({ kind }: Format, shape: Shape): string {
  const scalar = shape === 'value' || shape === 'values';
  if (kind !== 'csv') return scalar ? 'p.value' : 'p.*';
  return scalar ? 'p.value::text' : 'substring((p.*)::text, 2, length((p.*)::text) - 2)';
}

function bodySql({ kind, stripNulls }: Format, shape: Shape, row: string): string {
  if (kind === 'csv') return `string_agg(${row}, E'\\n')`;
  const one = kind === 'object' || shape === 'row' || shape === 'value';
  // The one of an array: taken out of its text, it would be read through once more.
  const body = one
    ? `coalesce((array_agg(to_json(${row})))[1], 'null')`
    : `coalesce(json_agg(${row}), '[]')`;
  return `${stripNulls ? `json_strip_nulls(${body})` : body}::text`;
}

function csvHeader({ kind }: Format, select: Select, relation: Relation): string {
  if (kind !== 'csv') return '';
  return columnNames(select, relation)
    .map((name) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
    .join(',');
}

/** The same statement for EXPLAIN, which must not have values that its text does not use. */
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

/** The body, or an error inside the statement, which undoes what it wrote: a cast that cannot succeed. */
const guardedSql = (): string =>
  `case when octet_length(a.body) > ${MAX_ANSWER_BYTES} then ('${TOO_LONG} ' || a.rows)::int::text else a.body end`;

/** Counting stops here for `count=estimated` and `planned`: beyond, the planner's estimate is returned. */
export const ESTIMATE_FROM = 1000;

interface Assembly {
  /** What runs before the rows are read; null where that is nothing, so that the planner can estimate them. */
  before: string | null;
  from: string;
  source: Source;
  select: Select;
  shape: Shape;
  usesRequest: boolean;
  /** SQL for the number of rows that an upsert found there already. */
  merged?: string | null;
}

/** The one statement that answers with finished text. */
export function assemble(wanted: Wanted, parameters: Parameters, parts: Assembly): Operation {
  const { format, preferences, query, withoutBody } = wanted;
  const { before, source, select, shape, usesRequest } = parts;
  const { page, count, grows } = readSql(parts.from, source, select);
  const { offset } = query.root;
  let total = 'null';
  // The planner knows rows that the caller may not see: its estimate is returned only beyond what was counted of those they may.
  const guessed = preferences.count !== null && preferences.count !== 'exact' && before === null;
  if (preferences.count !== null && !guessed) total = `(select count(*) ${count})::text`;
  if (guessed)
    total = `(select count(*) from (select 1 ${count} limit ${ESTIMATE_FROM + 1}) as c)::text`;
  const measured = grows && !withoutBody;
  const row = rowSql(format, shape);
  const json = format.kind === 'csv' ? row : `to_json(${row})`;
  const rows = measured
    ? `(${measuredSql(`select ${json} as j from (${page}) as p`, MAX_ANSWER_BYTES)}) as m`
    : `(${page}) as p`;
  const body = withoutBody ? 'null::text' : bodySql(format, shape, measured ? 'm.j' : row);
  return {
    main: {
      text: `${before ?? ''}select ${withoutBody ? 'a.body' : guardedSql()}, a.rows, a.total, ${usesRequest ? RESPONSE_SETTINGS_SQL : 'null'}${parts.merged ? ', a.merged' : ''} from (select ${body} as body, count(*)::text as rows, ${total} as total${parts.merged ? `, ${parts.merged} as merged` : ''} from ${rows}) as a`,
      values: parameters.values,
    },
    explain: guessed
      ? renumbered(`explain (format json) select 1 ${count}`, parameters.values)
      : null,
    header: csvHeader(format, select, source.relation),
    offset,
    usesRequest,
  };
}

export function readOperation(schema: Schema, relation: Relation, wanted: Wanted): Operation {
  const parameters = new Parameters();
  const compiler = new ReadCompiler(schema, parameters, wanted.anonymous);
  const source = compiler.source(relation);
  const select = compiler.select(source, wanted.query.select, wanted.query.root, true);
  return assemble(wanted, parameters, {
    before: null,
    from: relation.sql,
    source,
    select,
    shape: 'rows',
    usesRequest: compiler.readsRequest,
  });
}

export function callOperation(
  schema: Schema,
  routine: Routine,
  given: CallArguments,
  wanted: Wanted,
): Operation {
  const parameters = new Parameters();
  const call = callSql(routine, given, parameters);
  const compiler = new ReadCompiler(schema, parameters, wanted.anonymous);
  const scalar = { name: 'value', type: '', base: '', default: null };
  const source = compiler.source(routine.result ?? rowsOf(routine.name, [scalar]));
  const items = routine.result ? wanted.query.select : ALL;
  const select = compiler.select(source, items, wanted.query.root, true);
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
      usesRequest: routine.usesRequest || compiler.readsRequest,
    },
  );
}
