// Brings a database to the newest schema: the bootstrap (what Supabase already has), then supabase/migrations.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { ROOT } from '#/host/lib/paths.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** Any constant will do; it only has to be the same in all processes. */
const LOCK = 7_276_001;

async function sqlFiles(folder: string): Promise<{ version: string; name: string; sql: string }[]> {
  const names = (await readdir(folder)).filter((name) => /^\d+_.+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (file) => {
      const [version = '', ...rest] = file.replace(/\.sql$/, '').split('_');
      return {
        version,
        name: rest.join('_'),
        sql: await readFile(path.join(folder, file), 'utf8'),
      };
    }),
  );
}

async function applyAll(
  client: pg.ClientBase,
  table: string,
  folder: string,
  only: readonly string[] | undefined,
): Promise<string[]> {
  const { rows } = await client.query<{ version: string }>(`select version from ${table}`);
  const done = new Set(rows.map((row) => row.version));
  const applied: string[] = [];
  const files = await sqlFiles(folder);
  const unknown = only?.find((version) => !files.some((file) => file.version === version));
  if (unknown !== undefined)
    throw new StartError(
      `The step ${unknown} of the schema is not known here: it comes from a newer Packpark.`,
    );
  for (const { version, name, sql } of files) {
    if (done.has(version) || only?.includes(version) === false) continue;
    await client.query('begin');
    try {
      await client.query(sql);
      await client.query(`insert into ${table} (version, name) values ($1, $2)`, [version, name]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new StartError(
        `The migration ${version}_${name} failed and changed nothing: ${(error as Error).message}.`,
        { cause: error },
      );
    }
    applied.push(`${version}_${name}`);
  }
  return applied;
}

/**
 * Applies what is missing, each file in its own transaction, under an advisory lock: several processes may start at once.
 * @param folders `bootstrap` is null on Supabase, which brings those objects itself
 * @param only the versions to apply, where not all
 * @returns the files applied now
 */
export async function migrate(
  client: pg.ClientBase,
  folders: { bootstrap: string | null; migrations: string },
  only?: { bootstrap: string[]; migrations: string[] },
): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [LOCK]);
  try {
    await client.query(`
      create schema if not exists packpark_host;
      create schema if not exists supabase_migrations;
      create table if not exists packpark_host.bootstrap (version text primary key, name text);
      create table if not exists packpark_host.unfinished (work text primary key);
      create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
    `);
    const bootstrap = folders.bootstrap
      ? await applyAll(client, 'packpark_host.bootstrap', folders.bootstrap, only?.bootstrap)
      : [];
    return [
      ...bootstrap,
      ...(await applyAll(
        client,
        'supabase_migrations.schema_migrations',
        folders.migrations,
        only?.migrations,
      )),
    ];
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}

const FOLDERS = {
  bootstrap: path.join(ROOT, 'server/src/host/db/bootstrap'),
  migrations: path.join(ROOT, 'supabase/migrations'),
};

/**
 * Brings a database to this checkout's newest schema. Supabase's own database brings what the bootstrap makes.
 * @returns the files applied now
 */
export async function migrateToNewest(client: pg.ClientBase): Promise<string[]> {
  const { rowCount } = await client.query(`select from pg_roles where rolname = 'supabase_admin'`);
  return migrate(client, rowCount ? { ...FOLDERS, bootstrap: null } : FOLDERS);
}

/**
 * Brings an empty database to the schema of an earlier moment.
 * @throws StartError when that moment is ahead of this checkout
 */
export async function migrateTo(
  client: pg.ClientBase,
  versions: { bootstrap: string[]; migrations: string[] },
): Promise<void> {
  await migrate(client, FOLDERS, versions);
}
