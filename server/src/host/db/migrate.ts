// Migrates a database to the newest schema: the bootstrap (the objects that Supabase already has), then supabase/migrations.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { ROOT } from '#/host/lib/paths.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { checkSiteRole } from '#/host/db/site-role.ts';

/** Number of the advisory lock; the same in all processes. */
const LOCK = 7_276_001;

const BOOTSTRAP = 'packpark_host.bootstrap';
const MIGRATIONS = 'supabase_migrations.schema_migrations';

interface Migration {
  /** The file's name without its extension, `<version>_<name>`, as recorded in the database. */
  id: string;
  sql: string;
}

interface Folders {
  /** Null on Supabase, which already has those objects. */
  bootstrap: string | null;
  migrations: string;
}

interface AppliedMigrations {
  bootstrap: string[];
  migrations: string[];
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d+_.+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (file) => ({
      id: path.basename(file, '.sql'),
      sql: await readFile(path.join(folder, file), 'utf8'),
    })),
  );
}

/** Reads which migrations were applied to a database, in order; null if it has no such table. */
async function readHistory(client: pg.ClientBase, table: string): Promise<string[] | null> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('${table}') is not null as there`,
  );
  if (!found[0]?.there) return null;
  const { rows } = await client.query<{ id: string }>(
    `select version || '_' || name as id from ${table} order by version`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Checks that the migrations of a database or an archive belong to this checkout.
 * @param what the subject of the error message
 * @throws StartError if the first migration is another baseline, or one is from a newer Packpark
 */
function checkKnown(
  what: string,
  migrations: readonly string[],
  known: readonly Migration[],
): void {
  const [first] = migrations;
  const baseline = known[0]?.id;
  if (first !== undefined && first !== baseline)
    throw new StartError(
      `${what} has the schema ${first}, and this Packpark's schema begins with ${baseline}: use the Packpark that made it, or begin with an empty data folder or database. Nothing was changed.`,
    );
  const unknown = migrations.find((migration) => !known.some(({ id }) => id === migration));
  if (unknown !== undefined)
    throw new StartError(
      `${what} has the migration ${unknown} of a newer Packpark, and this one knows the migrations up to ${known.at(-1)?.id}: start the newer one, or restore the backup from before its start.`,
    );
}

async function applyMissing(
  client: pg.ClientBase,
  table: string,
  { migrations, done }: { migrations: readonly Migration[]; done: readonly string[] },
): Promise<string[]> {
  const missing = migrations.filter(({ id }) => !done.includes(id));
  for (const { id, sql } of missing) {
    // PostgreSQL does not compile the bodies of functions here, because that takes a third of the migration. The tests compile
    // all of them.
    await client.query('begin; set local check_function_bodies = off');
    try {
      await client.query(sql);
      const [, version, name] = /^(\d+)_(.+)$/.exec(id) ?? [];
      await client.query(`insert into ${table} (version, name) values ($1, $2)`, [version, name]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new StartError(
        `The migration ${id} failed and changed nothing: ${(error as Error).message}.`,
        { cause: error },
      );
    }
  }
  return missing.map(({ id }) => id);
}

/** Returns for each folder of migrations: its table, its migrations in this checkout, and those of the database. */
async function readState(client: pg.ClientBase, folders: Folders) {
  const state = [];
  for (const [source, table, folder] of [
    ['bootstrap', BOOTSTRAP, folders.bootstrap],
    ['migrations', MIGRATIONS, folders.migrations],
  ] as const) {
    if (folder === null) continue;
    const migrations = await readMigrations(folder);
    const history = await readHistory(client, table);
    checkKnown('The database', history ?? [], migrations);
    state.push({ source, table, migrations, history });
  }
  return state;
}

/**
 * Applies missing migrations, each file in its own transaction. An advisory lock serialises several processes that start at the
 * same time.
 * @param only the migrations to apply; all by default
 * @returns the files that were applied
 * @throws StartError if one fails, if the database or `only` does not belong to this checkout, or if the database has more
 * migrations than `only`
 */
export async function migrate(
  client: pg.ClientBase,
  folders: Folders,
  only?: AppliedMigrations,
): Promise<string[]> {
  await checkSiteRole(client);
  await client.query('select pg_advisory_lock($1)', [LOCK]);
  try {
    const state = await readState(client, folders);
    for (const { source, migrations, history } of state) {
      checkKnown('The backup', only?.[source] ?? [], migrations);
      const later = history?.find((id) => only && !only[source].includes(id));
      if (later !== undefined)
        throw new StartError(
          `The database has the migration ${later}, which the backup does not have: restore into an empty one. Nothing was changed.`,
        );
    }
    await client.query(`
      create schema if not exists packpark_host;
      create schema if not exists supabase_migrations;
      create table if not exists ${BOOTSTRAP} (version text primary key, name text);
      -- Work that a command started and the next start must finish, such as uploading the demo's photos.
      create table if not exists packpark_host.unfinished (work text primary key);
      -- The secret's fingerprint (stored-secret.ts).
      create table if not exists packpark_host.secret_fingerprint (only_row boolean primary key default true check (only_row), hmac text not null);
      create table if not exists ${MIGRATIONS} (version text primary key, statements text[], name text);
      grant usage on schema packpark_host to public;
      create or replace function packpark_host.reject_response_size(bytes bigint) returns text
        language plpgsql stable parallel safe set search_path = '' as $$
        begin
          raise sqlstate '54000' using message = format('The response would be too large (%s bytes)', bytes),
            hint = 'Request fewer rows or fewer embedded resources';
        end $$;
    `);
    const applied: string[] = [];
    for (const { source, table, migrations, history } of state) {
      const wanted = migrations.filter(({ id }) => only?.[source].includes(id) ?? true);
      applied.push(
        ...(await applyMissing(client, table, { migrations: wanted, done: history ?? [] })),
      );
    }
    return applied;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}

export const FOLDERS = {
  bootstrap: path.join(ROOT, 'server/src/host/db/bootstrap'),
  migrations: path.join(ROOT, 'supabase/migrations'),
};

async function foldersFor(client: pg.ClientBase): Promise<Folders> {
  const { rowCount } = await client.query(`select from pg_roles where rolname = 'supabase_admin'`);
  return rowCount ? { ...FOLDERS, bootstrap: null } : FOLDERS;
}

/**
 * Migrates a database to this checkout's newest schema. On Supabase the bootstrap is omitted.
 * @returns the files that were applied
 */
export async function migrateToNewest(client: pg.ClientBase): Promise<string[]> {
  const folders = await foldersFor(client);
  const applied = await migrate(client, folders);
  // Creating these triggers locks their tables. The insertion of the demo locks the same tables in another order, so the two must
  // not run at the same time.
  if (folders.bootstrap !== null) await client.query('select realtime.attach_triggers()');
  return applied;
}

/**
 * Lists the migrations of a database for a backup.
 * @throws StartError if they are not of this checkout's schema
 */
export async function appliedMigrations(client: pg.ClientBase): Promise<AppliedMigrations> {
  const found: AppliedMigrations = { bootstrap: [], migrations: [] };
  for (const { source, history } of await readState(client, FOLDERS)) found[source] = history ?? [];
  return found;
}

/**
 * Lists the migrations of this checkout that a database lacks, in order. Changes nothing.
 * @throws StartError if the database is empty, or not of this checkout's schema
 */
export async function missingMigrations(client: pg.ClientBase): Promise<string[]> {
  const state = await readState(client, await foldersFor(client));
  if (state.at(-1)?.history === null)
    throw new StartError('The database is empty: "npx packpark start" fills it with its schema.');
  return state.flatMap(({ migrations, history }) =>
    migrations.map(({ id }) => id).filter((id) => !history?.includes(id)),
  );
}

/** @throws StartError unless the database has this checkout's newest schema */
export async function requireNewestSchema(client: pg.ClientBase): Promise<void> {
  const missing = await missingMigrations(client);
  if (missing.length > 0)
    throw new StartError(
      `The database lacks ${missing.length} migrations of this Packpark: restart the host with this version, or run "npx packpark migrate".`,
    );
}
