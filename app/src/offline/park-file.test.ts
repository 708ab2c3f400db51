// Reading the published list: fallback to English, and what is no list.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { fetchParkFile, ParkFileError, readParkList } from '#/offline/park-file.ts';

const row = (id: number, name: string) => ({
  id,
  name,
  city: 'חיפה',
  address: 'הנמל 1',
  location: { lat: 32.8, long: 35 },
  rank: null as number | null,
});

let server: Server | null = null;

/** A bucket that holds these files; a text is sent as it is. */
async function bucketOf(files: Record<string, unknown>): Promise<string> {
  server = createServer((request, response) => {
    const file = files[request.url?.split('/').at(-1) ?? ''];
    response.writeHead(file === undefined ? 404 : 200);
    response.end(typeof file === 'string' ? file : JSON.stringify(file ?? {}));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  server?.close();
  vi.restoreAllMocks();
});

it('fetchParkFile: reads the file of the language', async () => {
  const url = await bucketOf({ 'parks-he.json': [row(1, 'גן')], 'parks-en.json': [] });
  expect(await fetchParkFile(url, 'he')).toEqual([row(1, 'גן')]);
});

it.each([
  ['missing', undefined],
  ['not an array', { parks: [] }],
  ['not JSON', '<html>'],
])('fetchParkFile: falls back to English when it is %s', async (_, hebrew) => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const url = await bucketOf({ 'parks-he.json': hebrew, 'parks-en.json': [row(2, 'Garden')] });
  expect(await fetchParkFile(url, 'he')).toEqual([row(2, 'Garden')]);
});

it.each([
  ['missing', undefined],
  ['not an array', { parks: [] }],
  ['not JSON', '<html>'],
])('fetchParkFile: fails when English is %s too', async (_, english) => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const url = await bucketOf({ 'parks-en.json': english });
  await expect(fetchParkFile(url, 'ar')).rejects.toBeInstanceOf(ParkFileError);
});

it('readParkList: leaves out rows that cannot be drawn', () => {
  const broken = [null, {}, { ...row(1, 'a'), location: null }, { ...row(2, 'b'), id: '2' }];
  expect(readParkList([...broken, row(3, 'c')])).toEqual([row(3, 'c')]);
});

it('readParkList: has what is known of a park, and nothing of one that nobody knows', () => {
  const known = { size: 'small', ground: ['SAND'], facts: { lit: 'yes' } };
  const [first, second] = readParkList([{ ...row(1, 'a'), ...known }, row(2, 'b')]);
  expect(first?.known).toEqual(known);
  expect(second).toEqual(row(2, 'b'));
});

it('readParkList: has no rating where the file has none', () => {
  const rated = { ...row(2, 'b'), rank: 4.5, reviews: 2 };
  expect(readParkList([{ ...row(1, 'a'), rank: undefined }, rated])).toEqual([row(1, 'a'), rated]);
});
