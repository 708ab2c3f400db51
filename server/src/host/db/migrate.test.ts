// Migrations on a server that is not ours alone.
import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
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
