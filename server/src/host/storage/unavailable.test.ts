// Tests the responses, readiness and doctor if the blob store is unavailable, misconfigured or full.
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCli } from '../../../../testing/run-cli.ts';
import { startS3Server } from '../../../../testing/s3-server.ts';
import { connectTo, startTestHost } from '../../../../testing/test-host.ts';
import { AcquireTimeoutError, FullError, AbortedError } from '#/host/limits/fair-semaphore.ts';
import { errorResponse } from '#/host/storage/errors.ts';

const s3 = await startS3Server();
const host = await startTestHost(s3.environment);
await host.sql(`insert into storage.buckets (id, name, public) values ('box', 'box', true)`);

const readiness = async (url: string) => {
  const response = await fetch(`${url}/readyz`);
  return [response.status, ((await response.json()) as { status: string }).status];
};

test('doctor names a missing bucket, and the host is not ready', async () => {
  const environment = { ...s3.environment, S3_BUCKET: 'missing-bucket' };
  const doctor = await runCli(['doctor'], { ...environment, DATABASE_URL: host.connectionString });
  expect(doctor.stdout).toContain(
    'bad   Photos cannot be stored in the S3 bucket "missing-bucket": The S3 store has no bucket',
  );
  const other = await startTestHost({ ...environment, DATABASE_URL: host.connectionString });
  expect(await readiness(other.url)).toEqual([503, 'the file store cannot be reached']);
});

test('if S3 is unavailable, the error concerns the store and not the database', async () => {
  const box = host.service().storage.from('box');
  expect((await box.upload('a.txt', 'one')).error).toBeNull();
  expect(await readiness(host.url)).toEqual([200, 'ready']);
  await s3.stop();
  const down = { status: 503, message: 'The file store cannot be reached right now' };
  expect((await box.upload('b.txt', 'two')).error).toMatchObject(down);
  const response = await fetch(box.getPublicUrl('a.txt').data.publicUrl);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await response.json()).toMatchObject({ message: down.message });
  expect(await readiness(host.url)).toEqual([503, 'the file store cannot be reached']);
});

test('if the database closes all connections, uploads succeed or return 503', async () => {
  const local = await startTestHost();
  await local.sql(`insert into storage.buckets (id, name, public) values ('box', 'box', true)`);
  const admin = await connectTo(local.connectionString);
  const box = local.service().storage.from('box');
  const statuses = new Set<unknown>();
  for (let round = 0; round < 20; round += 1) {
    const uploads = Array.from({ length: 8 }, (_, index) => box.upload(`${round}-${index}`, 'one'));
    for (let time = 0; time < 4; time += 1)
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    for (const { error } of await Promise.all(uploads))
      statuses.add((error as { status?: number } | null)?.status ?? 200);
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
});

const full = (await writeFile('/dev/full', 'x').catch((error: unknown) => error)) as Error;
const ofPostgres = Object.assign(
  new Error('could not extend file "base/16384/2619": No space left on device'),
  { code: '53100' },
);
const noRoom = 'There is no room left to store files';

test.each([
  [507, 'InsufficientStorage', full, noRoom],
  [507, 'InsufficientStorage', ofPostgres, noRoom],
  [544, 'DatabaseTimeout', new AcquireTimeoutError(), 'The connection to the database timed out'],
  [429, 'TooManyRequests', new FullError(), 'Too many images at once, try again later'],
  [499, 'ClientClosedRequest', new AbortedError(), 'The client closed the connection'],
])(
  'a failure is returned as %i %s with a plain message (%#)',
  async (status, name, error, message) => {
    const response = errorResponse(error);
    expect(response?.status).toBe(status);
    const expected = { statusCode: String(status), error: name, message };
    expect(await response?.json()).toEqual(expected);
  },
);
