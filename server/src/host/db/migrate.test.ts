// Migrations on a server that is not ours alone, and on a database that is ahead of us.
import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { createTestDatabase } from '../../../testing/test-host.ts';
import { migrateToNewest } from '#/host/db/migrate.ts';

test('another database of the same server, made at the same moment, keeps nobody from starting', async () => {
  const other = new pg.Client(inject('adminConnection'));
  await other.connect();
  await other.query('create database made_beside');
  const client = new pg.Client(inject('adminConnection').replace('/postgres?', '/made_beside?'));
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');

  // As far as another first start has come: roles are the whole server's.
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

test.each(['supabase_migrations.schema_migrations', 'packpark_host.bootstrap'])(
  'a database with a newer step in %s is refused and left alone',
  async (table) => {
    const client = new pg.Client(await createTestDatabase());
    await client.connect();
    await client.query(`insert into ${table} (version, name) values ('99991231000000', 'newer')`);
    await expect(migrateToNewest(client)).rejects.toThrow(
      /^The database was brought to step 99991231000000 of the schema by a newer Packpark, and this one knows the steps up to \d+: start the newer one, or restore the backup from before its start\.$/,
    );
    await client.end();
  },
);
