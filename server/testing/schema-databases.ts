// Makes databases in the ways that lead to our schema: by its steps, from its declaration, and from before the baseline.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { migrateTo, migrateToNewest } from '#/host/db/migrate.ts';
import { ROOT } from '#/host/lib/paths.ts';

const SUPABASE = path.join(ROOT, 'supabase');
/** What leads from before the baseline to it. */
export const UPGRADE = path.join(SUPABASE, 'upgrades/20261122000000');

/** The schema files by their names in config.toml, in the order in which their objects can be made. */
export async function readSchemas(): Promise<{ file: string; sql: string }[]> {
  const config = await readFile(path.join(SUPABASE, 'config.toml'), 'utf8');
  const list = /^schema_paths = (\[[^\]]*\])$/m.exec(config)?.[1];
  if (list === undefined) throw new Error('supabase/config.toml has no schema_paths.');
  return Promise.all(
    (JSON.parse(list) as string[]).map(async (file) => ({
      file: path.basename(file),
      sql: await readFile(path.join(SUPABASE, file), 'utf8'),
    })),
  );
}

/** The versions of the 39 steps that came before the baseline. */
export async function versionsBeforeBaseline(): Promise<string[]> {
  const bundle = gunzipSync(await readFile(path.join(UPGRADE, 'steps.json.gz'))).toString('utf8');
  return (JSON.parse(bundle) as { version: string }[]).map(({ version }) => version);
}

async function bootstrapVersions(): Promise<string[]> {
  const files = await readdir(path.join(ROOT, 'server/src/host/db/bootstrap'));
  return files.map((file) => file.split('_')[0] ?? '').sort();
}

/** From the files of supabase/schemas alone. */
export async function makeFromSchemas(client: pg.ClientBase): Promise<void> {
  await migrateTo(client, { bootstrap: await bootstrapVersions(), migrations: [] });
  const schemas = await readSchemas();
  await client.query(`begin; ${schemas.map(({ sql }) => sql).join('\n')}; commit`);
}

/** By supabase/migrations, as a first start does. */
export async function makeFromMigrations(client: pg.ClientBase): Promise<void> {
  await migrateToNewest(client);
}

/** As it was before the baseline. @param steps how many of the 39 steps; all unless given */
export async function makeBeforeBaseline(client: pg.ClientBase, steps?: number): Promise<void> {
  const versions = await versionsBeforeBaseline();
  await migrateTo(client, {
    bootstrap: await bootstrapVersions(),
    migrations: versions.slice(0, steps),
  });
}

/** Opens an empty database that `close` removes again. @param adminConnection leads to the database postgres */
export async function emptyDatabase(
  adminConnection: string,
  name: string,
): Promise<{ client: pg.Client; connectionString: string; close: () => Promise<void> }> {
  const admin = new pg.Client(adminConnection);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const connectionString = adminConnection.replace('/postgres?', `/${name}?`);
  const client = new pg.Client(connectionString);
  await client.connect();
  return {
    client,
    connectionString,
    async close() {
      await client.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
