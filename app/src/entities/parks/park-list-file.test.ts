// Parsing of the published list, and the fallback to English.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import {
  fetchParkFile,
  ParkFileError,
  readParkList,
  refreshDelay,
  refreshParkFile,
} from '#/entities/parks/park-list-file.ts';
import { atEnd } from '../../../../testing/at-end.ts';

const row = (id: number, name: string) => ({
  id,
  name,
  city: 'חיפה',
  address: 'הנמל 1',
  location: { lat: 32.8, long: 35 },
  rank: null as number | null,
});

/** Contents of the bucket by path. A string is sent unchanged. */
let files: Record<string, unknown> = {};
const server = createServer((request, response) => {
  const file = files[request.url?.split('/').at(-1) ?? ''];
  const body = typeof file === 'string' ? file : JSON.stringify(file ?? {});
  response.writeHead(file === undefined ? 404 : 200, { etag: JSON.stringify(body.length) });
  response.end(body);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
atEnd(() => server.close());
const bucket = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

it('fetchParkFile: reads the file of the language', async () => {
  files = { 'parks-he.json': [row(1, 'גן')], 'parks-en.json': [] };
  expect(await fetchParkFile(bucket, 'he')).toEqual([row(1, 'גן')]);
});

it.each([
  ['missing', undefined],
  ['not an array', { parks: [] }],
  ['not JSON', '<html>'],
])(
  'fetchParkFile: falls back to English if it is %s, and fails if English is, too',
  async (_, broken) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    files = { 'parks-he.json': broken, 'parks-en.json': [row(2, 'Garden')] };
    expect(await fetchParkFile(bucket, 'he')).toEqual([row(2, 'Garden')]);
    files = { 'parks-en.json': broken };
    await expect(fetchParkFile(bucket, 'ar')).rejects.toBeInstanceOf(ParkFileError);
    vi.restoreAllMocks();
  },
);

it('readParkList: omits rows that cannot be drawn', () => {
  const broken = [null, {}, { ...row(1, 'a'), location: null }, { ...row(2, 'b'), id: '2' }];
  const misplaced = { ...row(4, 'd'), location: { lat: 91, long: 35 } };
  expect(readParkList([...broken, misplaced, row(3, 'c')])).toEqual([row(3, 'c')]);
});

it('readParkList: reads known facts, and omits the property without any', () => {
  const known = { size: 'small', ground: ['SAND'], facts: { lit: 'yes' } };
  const [first, second] = readParkList([{ ...row(1, 'a'), ...known }, row(2, 'b')]);
  expect(first?.known).toEqual(known);
  expect(second).toEqual(row(2, 'b'));
});

it('readParkList: omits the rating if the file has none', () => {
  const rated = { ...row(2, 'b'), rank: 4.5, reviews: 2 };
  expect(readParkList([{ ...row(1, 'a'), rank: undefined }, rated])).toEqual([row(1, 'a'), rated]);
});

it('refreshParkFile: returns a list only if another one was published', async () => {
  files = { 'parks-en.json': [] };
  await fetchParkFile(bucket, 'en');
  expect(await refreshParkFile(bucket, 'en')).toBeNull();
  files = { 'parks-en.json': [row(1, 'Garden')] };
  expect(await refreshParkFile(bucket, 'en')).toEqual([row(1, 'Garden')]);
  expect(await refreshParkFile(bucket, 'en')).toBeNull();
});

it('refreshDelay: an import shows within ten seconds on an empty device, within five minutes on others', () => {
  expect(refreshDelay(0)).toBeLessThan(9000);
  expect(refreshDelay(1)).toBeGreaterThan(60_000);
  expect(refreshDelay(1)).toBeLessThan(295_000);
});
