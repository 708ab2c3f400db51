// Tests batches on a real connection: after a failure, the connection must be usable.
import pg from 'pg';
import { expect, test } from 'vitest';
import { atEnd } from '../../../../testing/at-end.ts';
import { createTestDatabase } from '../../../../testing/test-host.ts';
import { runBatch } from '#/host/db/batch.ts';

const client = new pg.Client(await createTestDatabase());
client.on('error', () => undefined);
await client.connect();
atEnd(() => client.end());

const statement = (text: string) => ({ text, values: [] });
/** Returns true if pg would send a query immediately instead of queueing it. */
const isReady = () => (client as unknown as { readyForQuery: boolean }).readyForQuery;

test('a failed batch settles when the server is ready for the next query', async () => {
  // The server sends the error before it rolls back two hundred tables, which takes a moment.
  const tables = `do $$ begin for i in 1 .. 200 loop execute format('create table made_%s (id bigint primary key)', i); end loop; end $$`;
  const ready = await runBatch(client, [statement(tables), statement('select 1 / 0')]).then(
    () => 'no error',
    (error: unknown) => [(error as pg.DatabaseError).code, isReady()],
  );
  expect(ready).toEqual(['22012', true]);
  expect(await runBatch(client, [statement('select 1')])).toEqual([[['1']]]);
});

test('a batch settles if the server closes its connection', async () => {
  await expect(
    runBatch(client, [statement('select pg_terminate_backend(pg_backend_pid())')]),
  ).rejects.toThrow(/terminating connection|Connection terminated/);
});
