// Brings a database to the newest schema: the bootstrap (what Supabase already has), then supabase/migrations.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type pg from 'pg';
import { ROOT } from '#/host/lib/paths.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** Any constant will do; it only has to be the same in all processes. */
const LOCK = 7_276_001;

const BOOTSTRAP = 'packpark_host.bootstrap';
const MIGRATIONS = 'supabase_migrations.schema_migrations';

interface Step {
  version: string;
  name: string;
  sql: string;
}

interface Folders {
  /** Null on Supabase, which brings those objects itself. */
  bootstrap: string | null;
  migrations: string;
}

/** Which versions to apply, where not all. */
interface Versions {
  bootstrap: string[];
  migrations: string[];
}

async function readSteps(folder: string): Promise<Step[]> {
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

async function appliedVersions(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ version: string }>(`select version from ${table}`);
  return rows.map((row) => row.version);
}

function checkKnown(versions: readonly string[], steps: readonly Step[]): void {
  const unknown = versions.find((version) => !steps.some((step) => step.version === version));
  if (unknown !== undefined)
    throw new StartError(
      `The step ${unknown} of the schema is not known here: it comes from a newer Packpark.`,
    );
}

/** @throws StartError where the database is ahead of the steps that are known here */
function refuseNewer(done: ReadonlySet<string>, steps: readonly Step[]): void {
  const newest = steps.at(-1)?.version ?? '';
  const newer = [...done].sort().find((version) => version > newest);
  if (newer !== undefined)
    throw new StartError(
      `The database was brought to step ${newer} of the schema by a newer Packpark, and this one knows the steps up to ${newest}: start the newer one, or restore the backup from before its start.`,
    );
}

/** Where steps are applied, and whether in the caller's transaction instead of one for each. */
interface Target {
  client: pg.ClientBase;
  within: boolean;
}

/** Does `work` as a whole or not at all. @throws StartError that names `step` */
async function applyWhole(
  { client, within }: Target,
  step: string,
  work: () => Promise<unknown>,
): Promise<string> {
  if (!within) await client.query('begin');
  try {
    await work();
    if (!within) await client.query('commit');
  } catch (error) {
    if (!within) await client.query('rollback');
    throw new StartError(
      `The migration ${step} failed and changed nothing: ${(error as Error).message}.`,
      { cause: error },
    );
  }
  return step;
}

async function applyMissing(
  target: Target,
  table: string,
  steps: readonly Step[],
  only: readonly string[] | undefined,
): Promise<string[]> {
  const { client } = target;
  checkKnown(only ?? [], steps);
  const done = new Set(await appliedVersions(client, table));
  refuseNewer(done, steps);
  const applied: string[] = [];
  for (const { version, name, sql } of steps) {
    if (done.has(version) || only?.includes(version) === false) continue;
    applied.push(
      await applyWhole(target, `${version}_${name}`, async () => {
        await client.query(sql);
        await client.query(`insert into ${table} (version, name) values ($1, $2)`, [version, name]);
      }),
    );
  }
  return applied;
}

/**
 * Carries a database from before the baseline over to it: the remaining ones of the steps of that time, then the script
 * that leads from the last of them to the baseline. With `only`, applies those of the steps of that time and stops there.
 * @returns what was applied, or null where the database (or `only`) is not of that time
 */
async function applyBeforeBaseline(
  target: Target,
  baseline: Step,
  folder: string,
  only: readonly string[] | undefined,
): Promise<string[] | null> {
  const { client } = target;
  const versions = only ?? (await appliedVersions(client, MIGRATIONS));
  if (versions.length === 0 || versions.includes(baseline.version)) return null;
  const steps = JSON.parse(
    gunzipSync(await readFile(path.join(folder, 'steps.json.gz'))).toString('utf8'),
  ) as Step[];
  checkKnown(versions, steps);
  const applied = await applyMissing(target, MIGRATIONS, steps, only);
  if (only) return applied;
  const sql = await readFile(path.join(folder, 'carry-over.sql'), 'utf8');
  const name = `${baseline.version}_${baseline.name} (carried over)`;
  return [...applied, await applyWhole(target, name, () => client.query(sql))];
}

/**
 * Applies what is missing, each file in its own transaction, under an advisory lock: several processes may start at once.
 * @param within whether the caller has begun a transaction, which all of it belongs to
 * @returns the files applied now
 * @throws StartError where one fails, or a version is asked for that is not known here
 */
export async function migrate(
  client: pg.ClientBase,
  folders: Folders,
  only?: Versions,
  within = false,
): Promise<string[]> {
  const target = { client, within };
  await client.query(`select pg_advisory_${within ? 'xact_' : ''}lock($1)`, [LOCK]);
  try {
    await client.query(`
      create schema if not exists packpark_host;
      create schema if not exists supabase_migrations;
      create table if not exists ${BOOTSTRAP} (version text primary key, name text);
      create table if not exists packpark_host.unfinished (work text primary key);
      create table if not exists ${MIGRATIONS} (version text primary key, statements text[], name text);
    `);
    const bootstrap = folders.bootstrap
      ? await applyMissing(target, BOOTSTRAP, await readSteps(folders.bootstrap), only?.bootstrap)
      : [];
    const steps = await readSteps(folders.migrations);
    const [baseline] = steps;
    if (!baseline) return bootstrap;
    const earlier = await applyBeforeBaseline(
      target,
      baseline,
      path.join(folders.migrations, '../upgrades', baseline.version),
      only?.migrations,
    );
    if (earlier && only) return [...bootstrap, ...earlier];
    const newer = await applyMissing(target, MIGRATIONS, steps, only?.migrations);
    return [...bootstrap, ...(earlier ?? []), ...newer];
  } finally {
    if (!within) await client.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}

const FOLDERS = {
  bootstrap: path.join(ROOT, 'server/src/host/db/bootstrap'),
  migrations: path.join(ROOT, 'supabase/migrations'),
};

/** Which steps of this checkout are for a database. */
async function foldersFor(client: pg.ClientBase): Promise<Folders> {
  const { rowCount } = await client.query(`select from pg_roles where rolname = 'supabase_admin'`);
  return rowCount ? { ...FOLDERS, bootstrap: null } : FOLDERS;
}

/**
 * Brings a database to this checkout's newest schema. Supabase's own database brings what the bootstrap makes.
 * @returns the files applied now
 */
export async function migrateToNewest(client: pg.ClientBase): Promise<string[]> {
  return migrate(client, await foldersFor(client));
}

/**
 * Brings an empty database to the schema of an earlier moment.
 * @param within whether the caller has begun a transaction, which all of it belongs to
 * @throws StartError when that moment is ahead of this checkout
 */
export async function migrateTo(
  client: pg.ClientBase,
  versions: Versions,
  within = false,
): Promise<void> {
  await migrate(client, FOLDERS, versions, within);
}

/**
 * The steps of this checkout that a database lacks, in order; nothing is changed.
 * @throws StartError where the database is empty, or ahead of this checkout
 */
export async function missingSteps(client: pg.ClientBase): Promise<string[]> {
  const { rowCount: made } = await client.query(
    `select where to_regclass('${MIGRATIONS}') is not null`,
  );
  if (!made)
    throw new StartError('The database is empty: "npx packpark start" fills it with its schema.');
  const { bootstrap, migrations } = await foldersFor(client);
  const missing: string[] = [];
  for (const [table, folder] of [
    [BOOTSTRAP, bootstrap],
    [MIGRATIONS, migrations],
  ] as const) {
    if (folder === null) continue;
    const done = new Set(await appliedVersions(client, table));
    const steps = await readSteps(folder);
    refuseNewer(done, steps);
    for (const { version, name } of steps)
      if (!done.has(version)) missing.push(`${version}_${name}`);
  }
  return missing;
}

/**
 * For commands that work on a database and leave its schema alone.
 * @throws StartError unless it is at this checkout's newest schema
 */
export async function requireNewestSchema(client: pg.ClientBase): Promise<void> {
  const missing = await missingSteps(client);
  if (missing.length > 0)
    throw new StartError(
      `The database lacks ${missing.length} steps of this Packpark's schema: restart the host with this version, or run "npx packpark migrate".`,
    );
}
