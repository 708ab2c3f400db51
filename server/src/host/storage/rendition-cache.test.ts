// What is made once for all who ask for it at the same time, also when some of them give up.
import { beforeEach, expect, test } from 'vitest';
import { createRenditionCache, type RenditionCache } from '#/host/storage/rendition-cache.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';

const VERSION = '00000000-0000-4000-8000-000000000001';
let folder: string;
let cache: RenditionCache;
/** Work under way, in the order in which it began. */
let begun: { end: (text: string) => void }[];

beforeEach(() => {
  folder = temporaryFolder();
  cache = createRenditionCache(folder);
  begun = [];
});

/** Asks for a copy; gives the text that was made, or why there is none. */
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

test('while one who asked still waits, the work goes on, once', async () => {
  const gone = new AbortController();
  const requests = [send(gone.signal), send(), send(gone.signal)];
  gone.abort();
  begun[0]?.end('copy');
  expect(await Promise.all(requests)).toEqual(['copy', 'copy', 'copy']);
  expect(begun.length).toBe(1);
});

test('once all have given up so has the work, and whoever asks in that moment gets it made anew', async () => {
  const gone = new AbortController();
  const requests = [send(gone.signal), send(gone.signal)];
  gone.abort();
  const late = send();
  expect(await Promise.all(requests)).toEqual(['given up', 'given up']);
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end('anew');
  expect(await late).toBe('anew');
});
