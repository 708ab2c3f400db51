// Tests that a rendition is made once for concurrent callers, even if some of them disconnect.
import { readdirSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { createRenditionCache, type RenditionCache } from '#/host/storage/rendition-cache.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';

const VERSION = '00000000-0000-4000-8000-000000000001';
let folder: string;
let cache: RenditionCache;
/** Renditions in progress, in the order in which they started. */
let begun: { end: (text: string) => void }[];

beforeEach(() => {
  folder = temporaryFolder();
  cache = createRenditionCache(folder);
  begun = [];
});

/** Requests a rendition. Returns its text, or the reason for the failure. */
const send = (signal?: AbortSignal) =>
  cache
    .get(
      VERSION,
      'small',
      (abandoned) =>
        new Promise((resolve, reject) => {
          begun.push({ end: (text) => resolve(new Uint8Array(Buffer.from(text))) });
          abandoned.addEventListener('abort', () => reject(new Error('given up')));
        }),
      signal,
    )
    .then(
      (bytes) => Buffer.from(bytes).toString(),
      (error: unknown) => (error as Error).message,
    );

test('the work continues, once, while at least one caller waits', async () => {
  const gone = new AbortController();
  const requests = [send(gone.signal), send(), send(gone.signal)];
  gone.abort();
  begun[0]?.end('copy');
  expect(await Promise.all(requests)).toEqual(['copy', 'copy', 'copy']);
  expect(begun.length).toBe(1);
});

test('when all callers have disconnected the work is aborted, and a new caller starts it again', async () => {
  const gone = new AbortController();
  const requests = [send(gone.signal), send(gone.signal)];
  gone.abort();
  const late = send();
  expect(await Promise.all(requests)).toEqual(['given up', 'given up']);
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end('anew');
  expect(await late).toBe('anew');
});

test('the cache has settled when the files in progress are written', async () => {
  void send();
  const settled = cache.settled().then(() => readdirSync(folder).length);
  begun[0]?.end('copy');
  expect(await settled).toBe(1);
});
