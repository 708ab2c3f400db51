// Writes as operations: what is inserted, changed or deleted, and what of it comes back.
import { emptyLevel, type ParsedQuery, type SelectItem } from '#/host/rest/parsed-query.ts';
import type { Source } from '#/host/rest/compile-filter.ts';
import { ReadCompiler } from '#/host/rest/compile-read.ts';
import { deleteSql, insertSql, MERGED, updateSql } from '#/host/rest/compile-write.ts';
import { RestError, badBody } from '#/host/rest/errors.ts';
import { assemble, type Operation, type Wanted } from '#/host/rest/operation.ts';
import type { Payload } from '#/host/rest/payload.ts';
import { RESPONSE_SETTINGS_SQL } from '#/host/rest/response-settings.ts';
import type { Relation, Schema } from '#/host/rest/schema-cache.ts';
import { Parameters, quote } from '#/host/rest/sql-text.ts';

/** Nothing to be changed, and nothing to be shown. */
const NOTHING: Operation = {
  main: null,
  explain: null,
  header: '',
  offset: 0,
  usesRequest: true,
};

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
  const { conditions } = query.root;
  const keys = new Map<string, string>();
  for (const each of conditions) {
    if (each.kind !== 'filter' || each.negated || each.field.path.length > 0) continue;
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

/** POST, PATCH, PUT and DELETE of a table or view; `main` is null where there is nothing to change. */
export function writeOperation(
  schema: Schema,
  relation: Relation,
  write: Write,
  wanted: Wanted,
): Operation {
  const { root } = wanted.query;
  // A bound on what comes back would hide rows that were written.
  if (root.limit !== null || root.offset > 0)
    throw new RestError(
      400,
      'PGRST114',
      'limit/offset querystring parameters are not allowed for writes',
    );
  const parameters = new Parameters();
  const compiler = new ReadCompiler(schema, parameters, wanted.anonymous);
  const target = compiler.source(relation);
  const sql = writeSql(target, write, wanted, parameters);
  const upsert = write.kind === 'put' || wanted.preferences.resolution === 'merge-duplicates';
  // Told beside the rows: reading it after them is reading it when all are written.
  const merged = write.kind !== 'update' && write.kind !== 'delete' && upsert ? MERGED : null;
  const wantsRows = wanted.preferences.return === 'representation';
  if (sql === null) return NOTHING;
  if (!wantsRows && wanted.preferences.return !== 'headers-only') {
    const text = `with written as (${sql} returning 1) select null, count(*)::text, null, ${RESPONSE_SETTINGS_SQL}, ${merged ?? 'null'} from written`;
    return { ...NOTHING, main: { text, values: parameters.values } };
  }
  const items: SelectItem[] = wantsRows
    ? wanted.query.select
    : relation.primaryKey.map((name) => ({
        kind: 'column',
        field: { name, path: [] },
        alias: null,
        cast: 'text',
      }));
  const source = compiler.source(relation);
  // The conditions chose what was written; embeds keep theirs.
  const level = wantsRows ? { ...root, conditions: [] } : emptyLevel();
  const select = compiler.select(source, items, level, false);
  const names = source.used.has('*')
    ? [
        ...relation.columns.keys(),
        ...[...source.used].filter((name) => relation.computed.has(name)),
      ]
    : [...source.used];
  const returning =
    names.map((name) => `${target.alias}.${quote(name)} as ${quote(name)}`).join(', ') || '1';
  return assemble(
    {
      ...wanted,
      preferences: { ...wanted.preferences, count: null },
      format: wantsRows ? wanted.format : { kind: 'array', stripNulls: false, contentType: '' },
    },
    parameters,
    {
      before: `with written as (${sql} returning ${returning}) `,
      from: 'written',
      source,
      select,
      shape: 'rows',
      usesRequest: true,
      merged,
    },
  );
}
