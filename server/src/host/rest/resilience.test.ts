// Tests the REST service with changing schemas, broken connections and many concurrent callers.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '#/host/lib/log.ts';
import { createSchemaSource } from '#/host/rest/schema-cache.ts';
import { startRestHost } from '../../../../testing/rest-fixture.ts';
import { connectTo } from '../../../../testing/test-host.ts';

const host = await startRestHost();

/** More than the pool's connections, but few enough that no request times out on a busy machine. */
const AT_ONCE = 24;

/** Runs work a number of times, AT_ONCE calls at a time. */
async function crowd<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  async function lane(): Promise<void> {
    while (next < count) {
      const index = next++;
      results[index] = await work(index);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

/** Sends enough requests that every connection of the pool caches the plan. */
const often = (path: string) => crowd(100, async () => (await host.rest(path)).status);

test('concurrent requests with an unknown name wait for one reload of the schema', async () => {
  const source = createSchemaSource(host.database, createLog('silent'));
  const used = await source.current();
  const reloads = Array.from({ length: AT_ONCE }, () => source.newerThan(used));
  const found = new Set(await Promise.all(reloads));
  expect([...found]).toEqual([expect.objectContaining({ relations: expect.any(Map) })]);
  expect(found).not.toContain(used);
});

test('cached plans are replaced after a change of the schema', async () => {
  const path = 'shelves?number=eq.1&order=hall&limit=1';
  expect(new Set(await often(path))).toEqual(new Set([200]));
  await host.sql('alter table public.shelves add column colour text default $$red$$');
  expect((await host.rest(path)).json).toEqual([
    { hall: 'east', number: 1, label: 'E1', colour: 'red' },
  ]);
  await host.sql`
    alter table public.copies drop constraint copies_hall_shelf_fkey;
    alter table public.shelves alter column number type text;
    notify pgrst, 'reload schema'`;
  expect(new Set(await often(path))).toEqual(new Set([200]));
  await host.sql('alter table public.shelves drop column colour');
  expect((await host.rest(path)).json).toEqual([{ hall: 'east', number: '1', label: 'E1' }]);
  await host.sql('drop table public.shelves cascade');
  expect((await host.rest(path)).status).toBe(404);
});

test('connections that PostgreSQL closes are replaced', async () => {
  await often('books?select=id');
  await host.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await expect.poll(async () => (await host.rest('books?select=id')).status).toBe(200);
  await expect.poll(async () => new Set(await often('books?select=id'))).toEqual(new Set([200]));
});

test('concurrent callers only get their own rows', async () => {
  const users = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const user = await host.user('Ann');
      await host.sql`insert into public.diaries (owner, entry) values (${user.id}, ${`of ${user.id}`})`;
      return user;
    }),
  );
  const wrong: unknown[] = [];
  await crowd(600, async (index) => {
    const user = users[index % 25];
    const as = user?.token ?? host.tokens.anonKey;
    const { json } = await host.rest('diaries?select=entry', { as });
    const expected = user ? [{ entry: `of ${user.id}` }] : [];
    if (JSON.stringify(json) !== JSON.stringify(expected)) wrong.push({ user, json });
  });
  expect(wrong).toEqual([]);
});

test('a role is not kept on a connection', async () => {
  await often('books?select=id');
  const [row] = await host.sql<{ role: string; claims: string | null }>(
    `select current_user as role, nullif(current_setting('request.jwt.claims', true), '') as claims`,
  );
  expect(row).toEqual({ role: 'postgres', claims: null });
});

test('concurrent writes are atomic', async () => {
  const results = await crowd(50, () => host.post('rpc/bump', '{"counter":"visits"}'));
  const values = results.map(({ json }) => Number(json)).sort((a, b) => a - b);
  expect(values).toEqual(Array.from({ length: 50 }, (_, i) => 6 + i));
});

test('anonymous callers use at most three eighths of the connections, and their statements time out earlier than those of users and of the host', async () => {
  await host.sql`
    create function public.crowd() returns int language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(4711);
      perform pg_sleep(0.03);
      return (select count(*) from pg_locks where locktype = 'advisory' and objid = 4711
        and database = (select oid from pg_database where datname = current_database()));
    end $$;
    create function public.patience() returns text language sql as
      $$ select current_setting('statement_timeout') $$;
    notify pgrst, 'reload schema'`;
  const { anonKey, serviceKey } = host.tokens;
  const post = (name: string, as: string) => host.post(`rpc/${name}`, '{}', { as });
  const crowds = await crowd(60, () => post('crowd', anonKey));
  expect(Math.max(...crowds.map(({ json }) => Number(json)))).toBeLessThanOrEqual(8);
  const { token } = await host.user('Ann');
  for (const [as, patience] of [
    [anonKey, '3s'],
    [token, '8s'],
    [serviceKey, '1min'],
  ] as const)
    expect((await post('patience', as)).json).toBe(patience);
});

test('one user holds at most a quarter of the connections, and other users are served meanwhile', async () => {
  await host.sql`
    create function public.wait_behind() returns int language sql as
      $$ select 1 from pg_advisory_xact_lock_shared(4712) $$;
    notify pgrst, 'reload schema'`;
  const signIn = async () => (await host.user('Ann')).token;
  const [one = '', other = '', ...crowd] = await Promise.all(Array.from({ length: 22 }, signIn));
  const send = async (path: string, token: string) => (await host.rest(path, { as: token })).status;
  await expect.poll(() => send('rpc/wait_behind', one)).toBe(200);
  // A separate connection, because one user occupies as many of the pool's connections as it can.
  const outside = await connectTo(host.connectionString);
  const waiting = async () => {
    const { rows } = await outside.query<{ count: number }>(
      `select count(*)::int from pg_locks where locktype = 'advisory' and objid = 4712 and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows[0]?.count;
  };
  await outside.query('select pg_advisory_lock(4712)');
  // With fake timers, no request times out while it waits, however slow the machine is.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const requests = Array.from({ length: 20 }, () => send('rpc/wait_behind', one));
  await expect.poll(waiting).toBe(4);
  // One request per available connection; a second round could last until the first user's statements time out after eight seconds.
  expect(
    await Promise.all(Array.from({ length: 4 }, () => send('books?select=id', other))),
  ).toEqual([200, 200, 200, 200]);
  expect(await waiting()).toBe(4);
  await outside.query('select pg_advisory_unlock(4712)');
  expect(new Set(await Promise.all(requests))).toEqual(new Set([200]));
  // Even twenty accounts cannot use all connections: some stay free for anonymous callers and for the host itself.
  await outside.query('select pg_advisory_lock(4712)');
  const theirs = crowd.flatMap((token) =>
    Array.from({ length: 3 }, () => send('rpc/wait_behind', token)),
  );
  await expect.poll(waiting).toBe(8);
  expect((await host.rest('books?select=id')).status).toBe(200);
  expect(await host.sql('select 1 as one')).toEqual([{ one: 1 }]);
  expect(await waiting()).toBe(8);
  await outside.query('select pg_advisory_unlock(4712)');
  expect(new Set(await Promise.all(theirs))).toEqual(new Set([200]));
});
