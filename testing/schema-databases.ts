// Creates databases in the two ways that lead to our schema: from the migrations and from the schema files.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { FOLDERS, migrate } from '#/host/db/migrate.ts';
import { schemaFiles } from '../scripts/lib/baseline.ts';
import { readCatalogue, readRows, type Catalogue } from './catalogue.ts';

/** Creates the database from the files of supabase/schemas only. */
async function makeFromSchemas(client: pg.ClientBase): Promise<void> {
  const bootstrap = (await readdir(FOLDERS.bootstrap)).map((file) => path.basename(file, '.sql'));
  await migrate(client, FOLDERS, { bootstrap, migrations: [] });
  await client.query(
    `begin; ${schemaFiles()
      .map(({ text }) => text)
      .join('\n')}; commit`,
  );
}

/**
 * Opens an empty database; `close` drops it.
 * @param adminConnection connection to the database postgres
 */
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

/**
 * Returns the catalogues of both databases, including their rows, and the result of `look` in the migrated one.
 * @param adminConnection connection to the database postgres
 */
export async function bothCatalogues<Found>(
  adminConnection: string,
  look: (client: pg.ClientBase) => Promise<Found>,
) {
  const within = async <Result>(
    name: string,
    make: (client: pg.ClientBase) => Promise<unknown>,
    read: (client: pg.ClientBase) => Promise<Result>,
  ) => {
    const { client, close } = await emptyDatabase(adminConnection, name);
    try {
      await make(client);
      return await read(client);
    } finally {
      await close();
    }
  };
  const catalogue = async (client: pg.ClientBase): Promise<Catalogue> =>
    new Map([...(await readCatalogue(client)), ...(await readRows(client))]);
  const declared = await within('made_from_schemas', makeFromSchemas, catalogue);
  return within(
    'made_from_migrations',
    (client) => migrate(client, FOLDERS),
    async (client) => ({
      declared,
      stepped: await catalogue(client),
      found: await look(client),
    }),
  );
}
