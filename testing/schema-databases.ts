// Makes databases in the two ways that lead to our schema: by its steps, and from its declaration.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { FOLDERS, migrateTo, migrateToNewest } from '#/host/db/migrate.ts';
import { schemaFiles } from '../scripts/lib/baseline.ts';
import { readCatalogue, readRows, type Catalogue } from './catalogue.ts';

/** From the files of supabase/schemas alone. */
async function makeFromSchemas(client: pg.ClientBase): Promise<void> {
  const bootstrap = (await readdir(FOLDERS.bootstrap)).map((file) => path.basename(file, '.sql'));
  await migrateTo(client, { bootstrap, migrations: [] });
  await client.query(
    `begin; ${schemaFiles()
      .map(({ text }) => text)
      .join('\n')}; commit`,
  );
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

/** What both ways make, rows included. @param adminConnection leads to the database postgres */
export async function bothCatalogues(adminConnection: string) {
  const catalogueOf = async (name: string, make: (client: pg.ClientBase) => Promise<unknown>) => {
    const database = await emptyDatabase(adminConnection, name);
    try {
      await make(database.client);
      return new Map([
        ...(await readCatalogue(database.client)),
        ...(await readRows(database.client)),
      ]) as Catalogue;
    } finally {
      await database.close();
    }
  };
  return {
    declared: await catalogueOf('made_from_schemas', makeFromSchemas),
    stepped: await catalogueOf('made_from_migrations', migrateToNewest),
  };
}
