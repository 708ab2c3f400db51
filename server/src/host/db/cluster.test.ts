// The embedded cluster under a real host: killed hosts, killed databases, second starts, and nothing acknowledged lost.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AuthClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  killServer,
  migratedData,
  runCli,
  startCli,
  temporaryData,
  type RunningCommand,
} from '../../../../testing/run-cli.ts';
import { connectTo } from '../../../../testing/test-host.ts';
import { runningServer } from '#/host/db/cluster-files.ts';
import { OWNER_LOCK, socketConnection } from '#/host/db/cluster.ts';

const calm = { DEMO: 'false', AUTH_RATE_LIMIT: '1000000' };

const startOn = (data: string) => startCli({ DATA_DIR: data, ...calm });
const startErrorOn = (data: string) => runCli(['start'], { DATA_DIR: data, ...calm });

const connectIn = (data: string, database: string, as?: string) =>
  connectTo(socketConnection(path.join(data, 'run'), database), as);

/** Signs people up, one after the other, until told to stop; notes those whose sign-up was acknowledged. */
async function keepSigningUp({ url, config }: RunningCommand) {
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: (await config()).anonKey },
    persistSession: false,
    autoRefreshToken: false,
  });
  const acknowledged: string[] = [];
  let going = true;
  const done = (async () => {
    for (let number = 0; going; number += 1) {
      const email = `person-${number}@example.test`;
      const { error } = await auth.signUp({ email, password: 'a long enough password' });
      if (error === null) acknowledged.push(email);
      // A host that is gone refuses at once; other processes of this test need the processor too.
      else await setTimeout(20);
    }
  })();
  return {
    acknowledged,
    async stop() {
      going = false;
      await done;
    },
  };
}

async function emailsIn(data: string): Promise<string[]> {
  const client = await connectIn(data, 'packpark');
  const { rows } = await client.query<{ email: string }>('select email from auth.users');
  await client.end();
  return rows.map((row) => row.email);
}

const serverOn = (data: string) => runningServer(path.join(data, 'postgres'));

// The official client prints each refused connection, of which there are many here.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterAll(() => vi.restoreAllMocks());

/** Ends a host by a signal, and expects that it stops its database in order before. */
async function expectOrderlyEnd(
  host: RunningCommand,
  data: string,
  signal: NodeJS.Signals,
): Promise<void> {
  expect(await host.end(signal)).toBe(0);
  expect(serverOn(data)).toBeNull();
  expect(existsSync(path.join(data, 'postgres/postmaster.pid'))).toBe(false);
}

const ready = async (url: string) =>
  (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;

test('kill -9 of the host during sign-ups: the next start takes its database over, and every acknowledged one is there', async () => {
  const data = migratedData();
  const first = await startOn(data);
  const signing = await keepSigningUp(first);
  await expect.poll(() => signing.acknowledged.length).toBeGreaterThan(5);
  await first.end('SIGKILL');
  await signing.stop();
  const orphan = serverOn(data);
  expect(orphan).not.toBeNull();

  await startOn(data);
  expect(serverOn(data)?.pid).not.toBe(orphan?.pid);
  expect(await emailsIn(data)).toEqual(expect.arrayContaining(signing.acknowledged));
});

test('kill -9 of the database during sign-ups: the host starts it again, every acknowledged one is there, and SIGTERM stops both in order', async () => {
  const data = migratedData();
  const host = await startOn(data);
  const signing = await keepSigningUp(host);
  await expect.poll(() => signing.acknowledged.length).toBeGreaterThan(5);
  const server = serverOn(data);
  killServer(data, 'SIGKILL');
  const before = signing.acknowledged.length;
  await expect.poll(() => signing.acknowledged.length).toBeGreaterThan(before + 5);
  await signing.stop();
  expect(serverOn(data)?.pid).not.toBe(server?.pid);
  expect(await emailsIn(data)).toEqual(expect.arrayContaining(signing.acknowledged));
  expect(host.output()).toContain('is started again');
  await expectOrderlyEnd(host, data, 'SIGTERM');
});

test('kill -9 of one of the database’s processes: the host goes on, and a second start says in one sentence that it runs', async () => {
  const data = migratedData();
  const host = await startOn(data);
  /** The processes of a connection and of the host's lock, or null where it holds none. */
  const look = async () => {
    const client = await connectIn(data, 'packpark');
    const { rows } = await client.query<{ own: number; owner: number | null }>(
      `select pg_backend_pid() as own, (select pid from pg_locks
         where locktype = 'advisory' and granted and objid = $1) as owner`,
      [OWNER_LOCK],
    );
    return { client, own: rows[0]?.own ?? NaN, owner: rows[0]?.owner ?? null };
  };
  const before = await look();
  const ended = new Promise((resolve) => before.client.once('end', resolve));
  process.kill(before.own, 'SIGKILL');
  await ended;
  // The lock is taken again, so a second start is still turned away.
  await vi.waitFor(async () => {
    const { client, owner } = await look();
    await client.end();
    expect([null, before.owner]).not.toContain(owner);
  }, 20_000);
  const second = await startErrorOn(data);
  expect(second.code).toBe(1);
  expect(second.stderr.trim()).toMatch(
    /^Packpark already runs on the data in .*: stop it first, or choose another DATA_DIR\.$/,
  );
  await expect.poll(() => ready(host.url)).toBe(true);
});

test('two starts at once on an empty folder: one runs, the other says why not', async () => {
  const data = temporaryData();
  const results = await Promise.allSettled([startOn(data), startOn(data)]);
  const failed = results.filter((result) => result.status === 'rejected');
  expect(failed).toHaveLength(1);
  expect(String(failed[0]?.reason)).toContain('already runs on the data');
});

/** Lets every connection to the cluster's own database come up only when a condition holds, but for those of `asOther`. */
async function holdLogins(data: string, condition: string): Promise<void> {
  const client = await connectIn(data, 'postgres');
  await client.query(`create function hold() returns event_trigger language plpgsql as $$
    begin
      while current_setting('application_name') <> 'other' and not ${condition} loop
        perform pg_sleep(0.02);
      end loop;
    end $$`);
  await client.query('create event trigger hold on login execute function hold()');
  await client.end();
}

/** A connection to the cluster's own database as soon as it takes some, which `holdLogins` does not hold. */
const asOther = (data: string) =>
  vi.waitFor(() => connectIn(data, 'postgres', 'other'), { timeout: 20_000, interval: 20 });

test('whoever finds the lock of its young database taken says the same', async () => {
  const data = migratedData();
  const first = await startOn(data);
  // The host's own connection comes up only when the other start has the lock.
  await holdLogins(data, `exists (select from pg_locks where locktype = 'advisory' and granted)`);
  await first.end('SIGTERM');

  const second = startErrorOn(data);
  const other = await asOther(data);
  await other.query('select pg_advisory_lock($1)', [OWNER_LOCK]);
  const { code, stderr } = await second;
  expect(stderr).toContain('already runs on the data');
  expect(code).toBe(1);
  await expect.poll(() => serverOn(data)).toBeNull();
});

test('right after a kill the next start waits until PostgreSQL has noticed it', async () => {
  const data = migratedData();
  const first = await startOn(data);
  await first.end('SIGKILL');
  // The lock as its killed owner held it a moment ago.
  const owner = await vi.waitFor(async () => {
    const client = await connectIn(data, 'postgres', `packpark host ${first.pid}`);
    const { rows } = await client.query<{ ours: boolean }>(
      'select pg_try_advisory_lock($1) as ours',
      [OWNER_LOCK],
    );
    if (rows[0]?.ours) return client;
    await client.end();
    throw new Error('The killed host still has it');
  }, 20_000);
  const second = startOn(data);
  // Where it is refused before it is awaited, that is no error of its own.
  second.catch(() => undefined);
  await vi.waitFor(async () => {
    const { rowCount } = await owner.query(
      `select from pg_stat_activity where pid <> pg_backend_pid() and application_name like 'packpark host %'`,
    );
    expect(rowCount).toBeGreaterThan(0);
  }, 20_000);
  await owner.end();
  expect(await ready((await second).url)).toBe(true);
});

test('a host that is stopped while its database starts again leaves none behind', async () => {
  const data = migratedData();
  const host = await startOn(data);
  await holdLogins(data, `exists (select from pg_class where relname = 'go_on')`);
  killServer(data, 'SIGKILL');
  const other = await asOther(data);
  const ended = host.end('SIGTERM');
  // The connection that starts it again is held until all else of the host has ended.
  await vi.waitFor(async () => {
    await expect(fetch(`${host.url}/livez`)).rejects.toThrow();
    const { rows } = await other.query(
      `select from pg_stat_activity where datname = 'packpark' and backend_type = 'client backend'`,
    );
    expect(rows).toHaveLength(0);
  }, 20_000);
  await other.query('create table go_on ()');
  await other.end();
  expect(await ended).toBe(0);
  expect(serverOn(data)).toBeNull();
});

test('a note of a killed database whose number now belongs to another program does not keep it from starting, and SIGINT stops both in order', async () => {
  const data = migratedData();
  writeFileSync(
    path.join(data, 'postgres/postmaster.pid'),
    `${process.pid}\n${data}/postgres\n1\n5432\n${data}/run\n\n1 1\nready\n`,
  );
  const again = await startOn(data);
  expect(await ready(again.url)).toBe(true);
  await expectOrderlyEnd(again, data, 'SIGINT');
});

test('data of another version of PostgreSQL is named, not touched', async () => {
  const data = migratedData();
  writeFileSync(path.join(data, 'postgres/PG_VERSION'), '17\n');
  const result = await startErrorOn(data);
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/was made by PostgreSQL 17, and this Packpark runs PostgreSQL 18/);
});

test('in a folder with a path too long for a socket, the secret is made once, kept from other users, and the same after a restart', async () => {
  const data = path.join(temporaryData(), 'a'.repeat(60), 'b'.repeat(60));
  mkdirSync(data, { recursive: true });
  const first = await startOn(data);
  expect(await ready(first.url)).toBe(true);
  const { anonKey } = await first.config();
  expect(await first.end('SIGTERM')).toBe(0);
  const second = await startOn(data);
  expect((await second.config()).anonKey).toBe(anonKey);
  expect(readFileSync(path.join(data, 'jwt-secret'), 'utf8').trim().length).toBeGreaterThan(32);
  expect(statSync(path.join(data, 'jwt-secret')).mode & 0o077).toBe(0);
});
