// The tables that realtime clients can subscribe to, the columns that each role may read, and the visibility of rows under the
// callers' policies.
import { isDatabaseDown, type Database } from '#/host/db/database.ts';
import type { Role } from '#/host/lib/tokens.ts';

export interface Column {
  name: string;
  /** The type's name in PostgreSQL, such as `timestamptz`. */
  type: string;
}

export interface ListenableTable {
  schema: string;
  table: string;
  key: string[];
  columns: Record<Role, Column[]>;
  /** The types of changes that the publication contains. */
  published: Record<'INSERT' | 'UPDATE' | 'DELETE', boolean>;
}

/** A visibility query: may the caller with these claims see the row with this key? Both are JSON. */
export interface Question {
  key: string;
  claims: string;
}

const FRESH_MS = 60_000;
/** Unknown tables are looked up at most once in this time, so that requests for them do not keep the database busy. */
const RETRY_MS = 30_000;
/** Number of visibility queries per statement. More would delay other subscribers; fewer would need more round trips. */
const CHUNK = 200;
/** Concurrent statements per change. Only a few, so that the first subscribers receive it while others are still being checked. */
const PARALLEL = 2;

const TABLES = `
  select t.schema, t.table, t.key, (
    select jsonb_object_agg(role, columns) from (
      select role, coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'type', y.typname) order by a.attnum)
        filter (where has_column_privilege(role, t.oid, a.attnum, 'select')), '[]') as columns
      from unnest(array['anon', 'authenticated', 'service_role']) role, pg_attribute a, pg_type y
      where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and y.oid = a.atttypid
      group by role) by_role) as columns,
    jsonb_build_object('INSERT', p.pubinsert, 'UPDATE', p.pubupdate, 'DELETE', p.pubdelete) as published
  from realtime.tables t, pg_publication p where p.pubname = 'supabase_realtime'`;

/** Caches the tables of the publication for at most a minute. */
export function createAccess({ pool }: Database) {
  let known = new Map<string, ListenableTable>();
  let loadedAt = -Infinity;
  let loading: Promise<void> | null = null;

  async function load(): Promise<void> {
    await pool.query('select realtime.attach_triggers()');
    const { rows } = await pool.query<ListenableTable>(TABLES);
    known = new Map(rows.map((row) => [`${row.schema}.${row.table}`, row]));
    loadedAt = performance.now();
  }

  function reload(): Promise<void> {
    loading ??= load().finally(() => (loading = null));
    return loading;
  }

  async function query(table: ListenableTable, role: Role, part: Question[]): Promise<boolean[]> {
    const name = `${table.schema}.${table.table}`.replaceAll('"', '""');
    const { rows } = await pool.query<{ seen: boolean[] }>({
      name: `realtime ${name}`,
      text: `select realtime."${name}"($1, $2, $3) as seen`,
      values: [role, part.map(({ key }) => key), part.map(({ claims }) => claims)],
    });
    return rows[0]?.seen ?? [];
  }

  return {
    reload,
    /** Returns a table; null if clients cannot subscribe to it. */
    async table(schema: string, name: string): Promise<ListenableTable | null> {
      const found = known.get(`${schema}.${name}`);
      const age = performance.now() - loadedAt;
      if (age > FRESH_MS || (!found && age > RETRY_MS)) await reload();
      return known.get(`${schema}.${name}`) ?? null;
    },
    hasSchema: (schema: string) => [...known.values()].some((table) => table.schema === schema),
    /**
     * Evaluates visibility with `role`, so that its policies apply. If a policy fails, the row counts as not visible.
     * @param onResults receives the results of each chunk, in order, and the index of the first
     * @throws if the database cannot be reached
     */
    async queryVisibility(
      table: ListenableTable,
      role: Role,
      questions: Question[],
      onResults: (results: boolean[], first: number) => void,
    ): Promise<void> {
      let next = 0;
      async function worker(): Promise<void> {
        while (next < questions.length) {
          const first = next;
          next += CHUNK;
          const chunk = questions.slice(first, next);
          const results = await query(table, role, chunk).catch(() =>
            // A single query may have made the whole statement fail, so each query is evaluated separately.
            Promise.all(
              chunk.map(async (one) => {
                const result = await query(table, role, [one]).catch((error: unknown) => {
                  if (isDatabaseDown(error)) throw error;
                  return [false];
                });
                return result[0] === true;
              }),
            ),
          );
          onResults(results, first);
        }
      }
      await Promise.all(Array.from({ length: PARALLEL }, worker));
    },
  };
}

export type Access = ReturnType<typeof createAccess>;
