// Tests the job queue on a real database: each job runs once on one of several hosts; killed hosts, poison jobs, retries and
// recurring jobs.
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { atEnd } from '../../../../testing/at-end.ts';
import { createTestDatabase } from '../../../../testing/test-host.ts';
import { openDatabase, type Database } from '#/host/db/database.ts';
import { createJobs, JobError, type Job, type Jobs } from '#/host/jobs/job-queue.ts';
import { createLog } from '#/host/lib/log.ts';

const log = createLog('silent');

const connection = await createTestDatabase();
const databases = [openDatabase(connection), openDatabase(connection)];
atEnd(() => Promise.all(databases.map((database) => database.close())));
const sql = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
  ((await databases[0]?.pool.query(text, values))?.rows ?? []) as R[];
// Records each job's delay when its due time is set. When a test reads the due time later, a part of the delay has already passed.
await sql(`create table private.waits (id bigint primary key, seconds numeric not null);
  create function private.note_wait() returns trigger language plpgsql as $$
  begin
    insert into private.waits values (new.id, extract(epoch from new.due_at - now()))
    on conflict (id) do update set seconds = excluded.seconds;
    return null;
  end $$;
  create trigger note_wait after insert or update of due_at on private.jobs for each row execute function private.note_wait()`);

function host(index = 0): Jobs {
  const made = createJobs(databases[index] as Database, log);
  atEnd(() => made.stop());
  return made;
}

interface Stored {
  attempts: number;
  error: string | null;
  dead: boolean;
  wait: number;
  running: boolean;
}
/** Returns the stored jobs of a type. `wait` is the delay in seconds that was set last, regardless of the time that has passed. */
const stored = (type: string) =>
  sql<Stored>(
    `select attempts, error, failed_at is not null as dead, seconds::float8 as wait, lease is not null as running
     from private.jobs join private.waits using (id) where type = $1 order by id`,
    [type],
  );
const dueNow = (type: string) =>
  sql('update private.jobs set due_at = now() where type = $1', [type]);

/** Creates an account; jobs that belong to it are deleted with it. */
async function account(): Promise<string> {
  const id = randomUUID();
  await sql('insert into auth.users (id, email) values ($1, $2)', [id, `${id}@example.test`]);
  return id;
}
const job = (userId: string, key: string, payload: unknown = {}) => ({
  key,
  payload,
  userId,
  lifetime: 3600,
});

test('two hosts run each job once, including jobs from before their start', async () => {
  const userId = await account();
  const done: string[] = [];
  const adding = host();
  const add = (from: number, to: number) =>
    Promise.all(
      Array.from({ length: to - from }, (_, at) =>
        adding.add('count', job(userId, `${from + at}`, { at: from + at })),
      ),
    );
  await add(0, 100);
  for (const index of [0, 1])
    await host(index).run('count', {
      concurrency: 5,
      run: async ({ payload }: Job) => {
        await new Promise(setImmediate);
        done.push(String((payload as { at: number }).at));
      },
    });
  await add(100, 200);
  await expect.poll(() => stored('count')).toEqual([]);
  expect(done.toSorted()).toEqual(Array.from({ length: 200 }, (_, at) => String(at)).toSorted());
});

test('a job of a killed host is taken over by another host, once', async () => {
  await host().add('take-over', job(await account(), 'one'));
  const [claimed] = await sql<{ id: string; lease: string }>(
    `select * from private.claim_jobs('take-over')`,
  );
  expect(await stored('take-over')).toMatchObject([{ attempts: 1, wait: 60 }]);
  await dueNow('take-over');
  const seen: Job[] = [];
  let finish: () => void = () => undefined;
  await host(1).run('take-over', {
    run: (one) =>
      new Promise<void>((resolve) => {
        seen.push(one);
        finish = resolve;
      }),
  });
  await expect.poll(() => seen).toMatchObject([{ attempts: 2 }]);
  // The first host is still running and stores its result now. The result is ignored, because the job has a new lease.
  await sql('select private.finish_job($1, $2)', [claimed?.id, claimed?.lease]);
  expect(await stored('take-over')).toHaveLength(1);
  finish();
  await expect.poll(() => stored('take-over')).toEqual([]);
  expect(seen).toHaveLength(1);
});

test('a job that crashes its host three times becomes a failed job, and other jobs continue', async () => {
  const userId = await account();
  const queue = host();
  await queue.add('poison', job(userId, 'poison'));
  for (let kill = 0; kill < 3; kill += 1) {
    expect(await sql(`select * from private.claim_jobs('poison')`)).toHaveLength(1);
    await dueNow('poison');
  }
  await queue.add('poison', job(userId, 'good', 'good'));
  const seen: unknown[] = [];
  await queue.run('poison', { run: ({ payload }) => Promise.resolve(seen.push(payload)) });
  await expect
    .poll(() => stored('poison'))
    .toMatchObject([{ dead: true, error: 'Its runner ended three times without an answer' }]);
  expect(seen).toEqual(['good']);
});

test('a recurring job that has crashed three hosts becomes a failed job too, and no request starts it', async () => {
  const schedule = () => sql(`select private.schedule_job('recurring-poison', '1 hour')`);
  const claim = () => sql(`select * from private.claim_jobs('recurring-poison')`);
  await schedule();
  for (let kill = 0; kill < 3; kill += 1) {
    expect(await claim()).toHaveLength(1);
    // Neither requesting the job again nor starting a host resets the number of hosts that the job has killed.
    await sql(`select private.add_job('recurring-poison', '')`);
    await schedule();
    await dueNow('recurring-poison');
  }
  expect(await claim()).toEqual([]);
  await sql(`select private.add_job('recurring-poison', '')`);
  await schedule();
  expect(await claim()).toEqual([]);
  expect(await stored('recurring-poison')).toMatchObject([
    { dead: true, error: 'Its runner ended three times without an answer' },
  ]);
});

test('a waiting host is woken by a job that another program adds', async () => {
  // With fake timers, the pause between two checks never ends, so only the notification can start the check.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let received: (payload: unknown) => void = () => undefined;
  const payload = new Promise((resolve) => {
    received = resolve;
  });
  await host().run('announced', { run: (one) => Promise.resolve(received(one.payload)) });
  await sql(`select private.add_job('announced', 'one', '"by SQL"')`);
  expect(await payload).toBe('by SQL');
});

test('a failed job is retried after growing pauses, until it expires', async () => {
  const queue = host();
  await queue.run('failing', { run: () => Promise.reject(new JobError('No luck', {})) });
  await queue.add('failing', job(await account(), 'one'));
  for (const [attempts, wait] of [
    [1, 15],
    [2, 30],
    [3, 60],
  ]) {
    await expect
      .poll(() => stored('failing'))
      .toEqual([{ attempts, wait, error: 'No luck', dead: false, running: false }]);
    await sql(`update private.jobs set due_at = now() where type = 'failing'`);
    await sql(`select pg_notify('jobs', 'failing')`);
  }
  await expect.poll(() => stored('failing')).toMatchObject([{ attempts: 4, running: false }]);
  await sql(`update private.jobs set due_at = now(), expires_at = now() where type = 'failing'`);
  await sql(`select pg_notify('jobs', 'failing')`);
  await expect
    .poll(() => stored('failing'))
    .toMatchObject([{ attempts: 4, dead: true, error: 'No luck' }]);
});

test('a job whose retry would fail too becomes a failed job immediately, until it is requested again', async () => {
  const queue = host();
  const userId = await account();
  let reject = true;
  await queue.run('refused', {
    run: () =>
      reject
        ? Promise.reject(new JobError('Refused', { final: true }))
        : Promise.resolve(undefined),
  });
  await queue.add('refused', job(userId, 'one'));
  await expect.poll(() => stored('refused')).toMatchObject([{ dead: true, error: 'Refused' }]);
  reject = false;
  await queue.add('refused', job(userId, 'one'));
  await expect.poll(() => stored('refused')).toEqual([]);
});

test('a job that is requested while it runs is run again with the newest payload', async () => {
  const queue = host();
  const userId = await account();
  const seen: unknown[] = [];
  const finishes: (() => void)[] = [];
  await queue.run('twice', {
    run: ({ payload }) =>
      new Promise<void>((resolve) => {
        seen.push(payload);
        finishes.push(resolve);
      }),
  });
  await queue.add('twice', job(userId, 'one', 'first'));
  await expect.poll(() => seen).toEqual(['first']);
  for (const payload of ['second', 'third']) await queue.add('twice', job(userId, 'one', payload));
  finishes[0]?.();
  await expect.poll(() => seen).toEqual(['first', 'third']);
  finishes[1]?.();
  await expect.poll(() => stored('twice')).toEqual([]);
});

test('a recurring job is shared by all hosts, and can be requested early', async () => {
  let runs = 0;
  const run = () => Promise.resolve((runs += 1));
  const both = [host(0), host(1)];
  for (const queue of both) await queue.run('recurring', { every: 3600, run });
  await expect.poll(() => stored('recurring')).toMatchObject([{ attempts: 0, wait: 3600 }]);
  expect(runs).toBe(1);
  await both[1]?.request('recurring');
  await expect.poll(() => runs).toBe(2);
  await expect.poll(() => stored('recurring')).toMatchObject([{ attempts: 0, wait: 3600 }]);
});

test('the result of a job is stored even if the connections have just been cut', async () => {
  const queue = host();
  const other = databases[1] as Database;
  await queue.run('cut-off', {
    run: () =>
      other.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      ),
  });
  await queue.add('cut-off', job(await account(), 'one'));
  await expect.poll(() => stored('cut-off').catch(() => null)).toEqual([]);
});

test('jobs that could not be run are run as soon as the lost connection is back', async () => {
  // With a fake clock, the pause after a failure never ends.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await sql(`insert into private.jobs (type) values ('drained')`);
  const drain = vi
    .fn(() => sql(`delete from private.jobs where type = 'drained'`))
    .mockRejectedValueOnce(new Error('The database is away'));
  await host(1).drain('drained', drain);
  await expect.poll(() => drain.mock.calls.length).toBe(1);
  await sql(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`);
  await expect.poll(() => sql(`select from private.jobs where type = 'drained'`)).toEqual([]);
});

test('a check that began before a type was added does not delay its jobs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let response: (found: { rows: object[] }) => void = () => undefined;
  const found = new Promise<{ rows: object[] }>((resolve) => {
    response = resolve;
  });
  vi.spyOn((databases[1] as Database).pool, 'query')
    .mockImplementationOnce(() => found)
    .mockImplementationOnce(() => Promise.resolve({ rows: [{ type: 'late', wait: 0 }] }));
  const queue = host(1);
  await queue.drain('early', () => Promise.resolve());
  vi.advanceTimersByTime(0);
  const late = vi.fn(() => Promise.resolve());
  await queue.drain('late', late);
  response({ rows: [] });
  await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(0);
  expect(late).toHaveBeenCalledOnce();
});

test('jobs are deleted with the account that they concern', async () => {
  const userId = await account();
  await host().add('of-somebody', job(userId, 'one'));
  await sql('delete from auth.users where id = $1', [userId]);
  expect(await stored('of-somebody')).toEqual([]);
});
