// Tests the embedded cluster with a real host: killed hosts, killed databases and second starts never lose acknowledged data.
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

/** Signs up users one after the other until stopped, and records the signups that were acknowledged. */
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
      // A stopped host refuses connections immediately, so without a pause this loop would use a whole processor.
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

// The official client logs each refused connection, and this test causes many.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterAll(() => vi.restoreAllMocks());

/** Ends a host with a signal and expects it to shut down its database first. */
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

test('after kill -9 of the host during signups, the next start takes over its database with every acknowledged signup', async () => {
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

test('after kill -9 of the database during signups, the host restarts it with every acknowledged signup, and SIGTERM stops both cleanly', async () => {
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

test('after kill -9 of a backend the host continues, and a second start is rejected with one sentence', async () => {
  const data = migratedData();
  const host = await startOn(data);
  /** Returns the process IDs of a connection and of the owner of the host's lock; null if the host does not hold the lock. */
  const readProcesses = async () => {
    const client = await connectIn(data, 'packpark');
    const { rows } = await client.query<{ own: number; owner: number | null }>(
      `select pg_backend_pid() as own, (select pid from pg_locks
         where locktype = 'advisory' and granted and objid = $1) as owner`,
      [OWNER_LOCK],
    );
    return { client, own: rows[0]?.own ?? NaN, owner: rows[0]?.owner ?? null };
  };
  const before = await readProcesses();
  const ended = new Promise((resolve) => before.client.once('end', resolve));
  process.kill(before.own, 'SIGKILL');
  await ended;
  // The host takes the lock again, so a second start is still rejected.
  await vi.waitFor(async () => {
    const { client, owner } = await readProcesses();
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

test('of two concurrent starts on an empty folder one runs and the other is rejected', async () => {
  const data = temporaryData();
  const results = await Promise.allSettled([startOn(data), startOn(data)]);
  const failed = results.filter((result) => result.status === 'rejected');
  expect(failed).toHaveLength(1);
  expect(String(failed[0]?.reason)).toContain('already runs on the data');
});

/** Delays every connection to the cluster's database until an SQL condition is true, except connections of `asOther`. */
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

/** Connects to the cluster's database as a user that `holdLogins` does not delay. */
const asOther = (data: string) =>
  vi.waitFor(() => connectIn(data, 'postgres', 'other'), { timeout: 20_000, interval: 20 });

test('a start that finds the lock of its new database taken is rejected with the same message', async () => {
  const data = migratedData();
  const first = await startOn(data);
  // The host's connection is delayed until the second start has the lock.
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

test('directly after a kill the next start waits until PostgreSQL has detected it', async () => {
  const data = migratedData();
  const first = await startOn(data);
  await first.end('SIGKILL');
  // Holds the lock under the name of the killed host, as if PostgreSQL had not yet noticed that the host is gone.
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
  // Prevents an early rejection from counting as unhandled.
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

test('a host that is stopped while its database restarts leaves no database behind', async () => {
  const data = migratedData();
  const host = await startOn(data);
  await holdLogins(data, `exists (select from pg_class where relname = 'go_on')`);
  killServer(data, 'SIGKILL');
  const other = await asOther(data);
  const ended = host.end('SIGTERM');
  // The connection for the restart is delayed until the other parts of the host have stopped.
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

test('a stale postmaster.pid with the process ID of another program does not prevent a start, and SIGINT stops host and database cleanly', async () => {
  const data = migratedData();
  writeFileSync(
    path.join(data, 'postgres/postmaster.pid'),
    `${process.pid}\n${data}/postgres\n1\n5432\n${data}/run\n\n1 1\nready\n`,
  );
  const again = await startOn(data);
  expect(await ready(again.url)).toBe(true);
  await expectOrderlyEnd(again, data, 'SIGINT');
});

test('data of another PostgreSQL version is reported and not changed', async () => {
  const data = migratedData();
  writeFileSync(path.join(data, 'postgres/PG_VERSION'), '17\n');
  const result = await startErrorOn(data);
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/was made by PostgreSQL 17, and this Packpark runs PostgreSQL 18/);
});

test('in a folder with a path too long for a socket, the secret is created once, is private, and survives a restart', async () => {
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
