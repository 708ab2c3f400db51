// Tests that an export pauses while its reader is slow, because otherwise an album of photos would fill the memory.
import { randomBytes, randomUUID } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestHost } from '../../../../testing/test-host.ts';

const PHOTO = 2 * 1024 * 1024;
const PHOTOS = 24;
/** Maximum bytes that the host may have read but the client has not: two photos in progress, and the socket buffers. */
const MAX_AHEAD = 24 * 1024 * 1024;

const host = await startTestHost();
const client = host.client();
const { data } = await client.auth.signUp({
  email: 'album@example.test',
  password: 'a long enough password',
});
const token = data.session?.access_token ?? '';
const { data: dog } = await client
  .from('dogs')
  .insert({ name: 'Rex', breed: 'Mixed', gender: 'MALE', birthday: '2020-01-01' })
  .select('id')
  .single();
await host.store(
  Array.from({ length: PHOTOS }, () => ({
    bucket: 'users',
    name: `${data.user?.id}/dogs/${dog?.id}/other/${randomUUID()}.webp`,
    content: randomBytes(PHOTO),
    mimetype: 'image/webp',
  })),
);

/** Starts the export without reading the response. */
const startExport = (url = host.url) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    request(`${url}/functions/v1/export-my-data`, { method: 'POST', headers })
      .on('response', resolve)
      .on('error', reject)
      .end('{}');
  });

/** Returns the number of requests that a service of the host has handled. */
async function countResponses(service: string): Promise<number> {
  const metrics = await (await fetch(`${host.url}/metrics`)).text();
  const line = `packpark_request_seconds_count{service="${service}",status="2xx"} `;
  const found = metrics.split('\n').find((each) => each.startsWith(line));
  return Number(found?.slice(line.length) ?? 0);
}
/** Returns the number of photos that the host has read from its storage. */
const fetched = () => countResponses('/storage/v1');

test('the export reads only as many photos as a slow reader receives', async () => {
  const response = await startExport();
  expect(response.statusCode).toBe(200);
  // The iterator reads from the socket only when it is asked for the next part.
  const parts = response[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let read = (await parts.next()).value?.length ?? 0;
  // The test stops reading. If the number of photos that the host has read is the same 60 times in a row, the export has paused.
  let [known, calm] = [0, 0];
  while (calm < 60) {
    const now = await fetched();
    [known, calm] = now === known ? [known, calm + 1] : [now, 0];
  }
  expect(known * PHOTO - read).toBeLessThan(MAX_AHEAD);
  for (let part = await parts.next(); !part.done; part = await parts.next())
    read += part.value.length;
  expect(read).toBeGreaterThan(PHOTOS * PHOTO);
  expect(await fetched()).toBe(PHOTOS);
});

test('a user can have one export at a time, and it ends when its reader disconnects', async () => {
  const first = await startExport();
  expect(first.statusCode).toBe(200);
  const before = await countResponses('/rest/v1');
  const second = await startExport();
  expect(second.statusCode).toBe(429);
  second.resume();
  // A rejected request must not read the user's data from the database.
  expect(await countResponses('/rest/v1')).toBe(before);
  first.destroy();
  await vi.waitFor(async () => {
    const third = await startExport();
    third.destroy();
    expect(third.statusCode).toBe(200);
  }, 20_000);
});

test('a stalled reader is disconnected, and its place becomes free', async () => {
  const brisk = await startTestHost({
    DATABASE_URL: host.connectionString,
    DATA_DIR: host.settings.DATA_DIR,
    STALL_SECONDS: '4',
  });
  for (const reader of ['stalled', 'next'])
    await vi.waitFor(
      async () => {
        const response = await startExport(brisk.url);
        onTestFinished(() => void response.destroy());
        response.on('error', () => undefined);
        expect(response.statusCode, reader).toBe(200);
      },
      { timeout: 60_000, interval: 250 },
    );
}, 150_000);
