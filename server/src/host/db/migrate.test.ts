// Tests migrations on a shared server, on a database with newer migrations, and on a database of another baseline.
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test, vi } from 'vitest';
import {
  FOLDERS,
  migrate,
  migrateToNewest,
  missingMigrations,
  requireNewestSchema,
} from '#/host/db/migrate.ts';
import { readCatalogue } from '../../../../testing/catalogue.ts';
import { connectTo, createTestDatabase } from '../../../../testing/test-host.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';

test('another database that is created on the same server at the same time does not prevent a start', async () => {
  const other = await connectTo(inject('adminConnection'));
  await other.query('create database made_beside');
  const client = await connectTo(inject('adminConnection').replace('/postgres?', '/made_beside?'));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');

  // Simulates another first start in the middle of its migration. Roles are shared by all databases, so its ALTER ROLE blocks ours.
  await other.query('begin; alter role service_role bypassrls');
  let outcome = '';
  const ended = migrateToNewest(client).then(
    () => (outcome = 'made'),
    (error: unknown) => (outcome = String(error)),
  );
  await vi.waitFor(async () => {
    const waiting = await other.query(
      `select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`,
      [rows[0]?.pid],
    );
    expect(outcome !== '' || waiting.rowCount === 1).toBe(true);
  }, 60_000);
  await other.query('commit');
  await ended;
  expect(outcome).toBe('made');

  await client.end();
  await other.query('drop database made_beside with (force)');
  await other.end();
});

test('a migrated database has the trigger of each table that clients can subscribe to', async () => {
  const client = await connectTo(await createTestDatabase());
  const { rows } = await client.query<{ table: string; has_trigger: boolean }>(`
    select t.table, exists (select from pg_trigger g where g.tgrelid = t.oid and g.tgname = 'realtime_report_change') as has_trigger
    from realtime.tables t`);
  expect(rows).not.toEqual([]);
  expect(rows.filter((row) => !row.has_trigger)).toEqual([]);
});

/** Creates a database with this checkout's schema. Returns a function that reads its history, settings and comments. */
async function migratedDatabase() {
  const client = await connectTo(await createTestDatabase());
  const picture = async () => {
    const { rows } = await client.query(
      `select * from supabase_migrations.schema_migrations, packpark_host.bootstrap`,
    );
    return { catalogue: await readCatalogue(client), rows };
  };
  return { client, picture };
}

test.each(['supabase_migrations.schema_migrations', 'packpark_host.bootstrap'])(
  'a database with a newer migration in %s is rejected and not changed',
  async (table) => {
    const { client, picture } = await migratedDatabase();
    await client.query(`insert into ${table} (version, name) values ('99991231000000', 'newer')`);
    const before = await picture();
    await expect(migrateToNewest(client)).rejects.toThrow(
      /^The database has the migration 99991231000000_newer of a newer Packpark, and this one knows the migrations up to \w+: start the newer one, or restore the backup from before its start\.$/,
    );
    expect(await picture()).toEqual(before);
  },
);

test('a database of another baseline is rejected and not changed', async () => {
  const { client, picture } = await migratedDatabase();
  await client.query(`update supabase_migrations.schema_migrations set name = 'baseline_0ld'`);
  const before = await picture();
  for (const work of [migrateToNewest, missingMigrations, requireNewestSchema])
    await expect(work(client)).rejects.toThrow(
      /^The database has the schema \d+_baseline_0ld, and this Packpark's schema begins with \d+_baseline(?:_\w{8})?: use the Packpark that made it, or begin with an empty data folder or database\. Nothing was changed\.$/,
    );
  expect(await picture()).toEqual(before);
});

test('a later migration is applied once, completely or not at all', async () => {
  const { client } = await migratedDatabase();
  const folder = temporaryFolder();
  cpSync(FOLDERS.migrations, folder, { recursive: true });
  const folders = { ...FOLDERS, migrations: folder };
  const migration = path.join(folder, '20991231000000_leashes.sql');
  const leashes = `select to_regclass('public.leashes') is not null as made`;

  writeFileSync(migration, 'create table public.leashes (id integer); select 1 / 0;');
  await expect(migrate(client, folders)).rejects.toThrow(
    'The migration 20991231000000_leashes failed and changed nothing: division by zero.',
  );
  expect((await client.query(leashes)).rows).toEqual([{ made: false }]);

  writeFileSync(migration, 'create table public.leashes (id integer);');
  expect(await migrate(client, folders)).toEqual(['20991231000000_leashes']);
  expect((await client.query(leashes)).rows).toEqual([{ made: true }]);
  expect(await migrate(client, folders)).toEqual([]);
});
