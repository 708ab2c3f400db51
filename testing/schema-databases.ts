// Makes databases in the two ways that lead to our schema: by its steps, and from its declaration.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { FOLDERS, migrateTo, migrateToNewest } from '#/host/db/migrate.ts';
import { ROOT } from '#/host/lib/paths.ts';

const SUPABASE = path.join(ROOT, 'supabase');

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

/** From the files of supabase/schemas alone. */
export async function makeFromSchemas(client: pg.ClientBase): Promise<void> {
  const bootstrap = (await readdir(FOLDERS.bootstrap)).map((file) => path.basename(file, '.sql'));
  await migrateTo(client, { bootstrap, migrations: [] });
  const schemas = await readSchemas();
  await client.query(`begin; ${schemas.map(({ sql }) => sql).join('\n')}; commit`);
}

/** By supabase/migrations, as a first start does. */
export async function makeFromMigrations(client: pg.ClientBase): Promise<void> {
  await migrateToNewest(client);
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
