// The schema cache of the REST service: tables, views, relationships and functions, reloaded on changes.
import type pg from 'pg';
import { columnOrigins, type Origin } from '#/host/db/column-origins.ts';
import type { Database } from '#/host/db/database.ts';
import { inTransaction } from '#/host/db/transaction.ts';
import type { Log } from '#/host/lib/log.ts';
import {
  FOREIGN_KEYS,
  RELATIONS,
  ROUTINES,
  TYPES,
  UNIQUE_KEYS,
  VIEWS,
  type ForeignKeyRow,
  type KeyRow,
  type RelationRow,
  type RoutineRow,
  type TypeRow,
  type ViewRow,
} from '#/host/rest/schema-queries.ts';
import {
  buildRelationships,
  type Instances,
  type Relationship,
} from '#/host/rest/relationships.ts';
import { readRoutine, type Routine } from '#/host/rest/routines.ts';
import { quote } from '#/host/rest/sql-text.ts';

export interface Column {
  name: string;
  /** The schema-qualified name of the type in SQL. */
  type: string;
  base: string;
  default: string | null;
}

export interface Relation {
  name: string;
  /** The quoted and schema-qualified name in SQL. */
  sql: string;
  view: boolean;
  /** True if the relation is in the schema `public`, so requests can use it. */
  exposed: boolean;
  columns: Map<string, Column>;
  primaryKey: string[];
  /** Names of computed columns: functions that take one row of the relation. */
  computed: Set<string>;
}

export interface Schema {
  relations: Map<string, Relation>;
  relationships: Map<Relation, Relationship[]>;
  routines: Map<string, Routine[]>;
  /** The SQL of each type that a cast may name. */
  types: Map<string, string>;
}

const SQL_TYPE_NAMES: [string, string][] = [
  ['int', 'integer'],
  ['decimal', 'numeric'],
  ['float', 'double precision'],
  ['char', 'character'],
];

const readRows = (pool: pg.Pool) =>
  inTransaction(
    pool,
    async (client) => {
      const rows = async <Row>(text: string) => (await client.query(text)).rows as Row[];
      const viewRows = await rows<ViewRow>(VIEWS);
      const origins = await columnOrigins(
        client,
        viewRows.map(({ definition }) => definition),
      );
      return {
        relationRows: await rows<RelationRow>(RELATIONS),
        keyRows: await rows<KeyRow>(UNIQUE_KEYS),
        foreignKeyRows: await rows<ForeignKeyRow>(FOREIGN_KEYS),
        viewOrigins: new Map(viewRows.map(({ oid }, i) => [Number(oid), origins[i] ?? []])),
        routineRows: await rows<RoutineRow>(ROUTINES),
        typeRows: await rows<TypeRow>(TYPES),
      };
    },
    // With an empty search path, PostgreSQL returns type names with their schema.
    `begin isolation level repeatable read read only; set local search_path = ''`,
  );

function schemaOf(found: Awaited<ReturnType<typeof readRows>>): Schema {
  const byOid = new Map<number, Relation>();
  const numbers = new Map<Relation, Map<number, string>>();
  const oids = new Map<Relation, number>();
  for (const row of found.relationRows) {
    const columns = row.columns ?? [];
    const relation: Relation = {
      name: row.name,
      sql: `${quote(row.schema)}.${quote(row.name)}`,
      view: row.view,
      exposed: row.schema === 'public' && !row.internal,
      columns: new Map(columns.map((column) => [column.name, column])),
      primaryKey: [],
      computed: new Set(),
    };
    byOid.set(Number(row.oid), relation);
    oids.set(relation, Number(row.oid));
    numbers.set(relation, new Map(columns.map((column) => [column.number, column.name])));
  }
  const namesOf = (relation: Relation, columns: number[]) =>
    columns.map((number) => numbers.get(relation)?.get(number) ?? '');

  const uniqueKeys = new Map<Relation, string[][]>();
  for (const row of found.keyRows) {
    const relation = byOid.get(Number(row.relation));
    if (!relation) continue;
    const columns = namesOf(relation, row.columns);
    if (row.primary) relation.primaryKey = columns;
    uniqueKeys.set(relation, [...(uniqueKeys.get(relation) ?? []), columns]);
  }

  const instances = viewInstances(found.viewOrigins, byOid, numbers, oids);
  for (const relation of byOid.values()) {
    if (relation.primaryKey.length === 0 || relation.view) continue;
    for (const instance of instances(relation, relation.primaryKey))
      if (instance.relation.view) instance.relation.primaryKey = instance.columns;
  }

  const keys = found.foreignKeyRows.flatMap((row) => {
    const source = byOid.get(Number(row.source));
    const target = byOid.get(Number(row.target));
    if (!source || !target) return [];
    const here = namesOf(source, row.sourceColumns);
    const there = namesOf(target, row.targetColumns);
    const unique = (uniqueKeys.get(source) ?? []).some((key) =>
      key.every((name) => here.includes(name)),
    );
    const columns = here.map((name, index): [string, string] => [name, there[index] ?? '']);
    return [{ name: row.name, source, target, unique, columns }];
  });

  const routines = new Map<string, Routine[]>();
  for (const row of found.routineRows) {
    const routine = readRoutine(row, byOid);
    routines.set(row.name, [...(routines.get(row.name) ?? []), routine]);
    const argument = byOid.get(Number(row.firstArgumentRelation));
    if (argument && row.types?.length === 1 && !row.returnsSet) argument.computed.add(row.name);
  }
  return {
    relations: new Map(
      [...byOid.values()]
        .filter(({ exposed }) => exposed)
        .map((relation) => [relation.name, relation]),
    ),
    relationships: buildRelationships(keys, instances),
    routines,
    types: new Map([
      ...found.typeRows.flatMap(({ name, type }): [string, string][] => [
        [name, type],
        [type, type],
      ]),
      ...SQL_TYPE_NAMES,
    ]),
  };
}

/** Finds for each table the exposed relations that select its columns, including views of views. */
function viewInstances(
  origins: Map<number, (Origin | null)[]>,
  byOid: Map<number, Relation>,
  numbers: Map<Relation, Map<number, string>>,
  oids: Map<Relation, number>,
): Instances {
  function base(origin: Origin): Origin {
    const further = origins.get(origin.relation)?.[origin.column - 1];
    return further && further.relation !== origin.relation ? base(further) : origin;
  }
  /** For each exposed view, its column names by 'table OID.column name'. */
  const shown = new Map<Relation, Map<string, string>>();
  for (const [oid, columns] of origins) {
    const view = byOid.get(oid);
    if (!view?.exposed) continue;
    const names = new Map<string, string>();
    for (const [index, origin] of columns.entries()) {
      if (!origin) continue;
      const { relation, column } = base(origin);
      const table = byOid.get(relation);
      const key = `${relation}.${(table && numbers.get(table)?.get(column)) ?? ''}`;
      if (!names.has(key)) names.set(key, numbers.get(view)?.get(index + 1) ?? '');
    }
    shown.set(view, names);
  }
  return (table, columns) => {
    const found = table.exposed ? [{ relation: table, columns }] : [];
    for (const [view, names] of shown) {
      const seen = columns.map((name) => names.get(`${oids.get(table) ?? 0}.${name}`));
      if (seen.every((name) => name !== undefined)) found.push({ relation: view, columns: seen });
    }
    return found;
  };
}

const RELOAD_INTERVAL = 1000;

/** Reads the schema on first use and again on `notify pgrst` (empty payload or 'reload schema'). */
export function createSchemaSource(database: Database, log: Log) {
  let schema: Promise<Schema> | null = null;
  let lastMiss = -Infinity;

  function load(): Promise<Schema> {
    const loading = readRows(database.pool).then(schemaOf);
    loading.catch(() => {
      if (schema === loading) schema = null;
    });
    return loading;
  }
  const current = (): Promise<Schema> => (schema ??= load());
  database
    .listen('pgrst', (payload) => {
      if (payload === '' || payload === 'reload schema') schema = null;
    })
    // The schema is loaded before the first request, but not before its changes are noticed.
    .then(() => void current().catch(() => undefined))
    .catch((error: Error) =>
      log.warn({ error: error.message }, 'cannot listen for schema changes'),
    );

  return {
    current,
    /**
     * Call it if `used` lacks a name. Reloads the schema at most once a second, and concurrent callers wait for the same reload.
     * @returns null if no schema is newer
     */
    async newerThan(used: Schema): Promise<Schema | null> {
      if ((await current()) === used && performance.now() - lastMiss >= RELOAD_INTERVAL) {
        lastMiss = performance.now();
        schema = load();
      }
      const newest = await current();
      return newest === used ? null : newest;
    },
  };
}
