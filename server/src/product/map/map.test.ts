// Tests the map file for browsers, native shells and other sites: ranges, replaced and damaged files, and several hosts.
import { copyFile, readFile, rename, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PMTiles } from 'pmtiles';
import { expect, onTestFinished, test, vi } from 'vitest';
import { atEnd } from '../../../../testing/at-end.ts';
import { runCli, temporaryData } from '../../../../testing/run-cli.ts';
import { startS3Server } from '../../../../testing/s3-server.ts';
import { startFlakyConnection } from '../../../../testing/flaky-connection.ts';
import { startTestHost, type TestHost } from '../../../../testing/test-host.ts';
import { StoreUnavailableError } from '#/host/storage/blob-store.ts';
import { createS3File } from '#/host/storage/s3-files.ts';
import { checkMapCoverage } from '#/product/check-results.ts';
import { readSettings } from '#/product/settings.ts';
import { examineArchive } from '#/product/map/archive.ts';
import { MAX_RANGE_BYTES } from '#/product/map/service.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';

const FIXTURE = path.resolve(import.meta.dirname, '../../../../testing/fixtures/test-map.pmtiles');

interface SiteMap {
  map: {
    url: string;
    version: string;
    maxZoom: number;
    attribution: string;
    invented?: boolean;
  } | null;
}
const siteMap = async (of: TestHost) =>
  ((await (await fetch(`${of.url}/config.json`)).json()) as SiteMap).map;

const range = (of: string, bytes: string, headers: Record<string, string> = {}) =>
  fetch(of, { headers: { range: `bytes=${bytes}`, ...headers } });

async function replace(bytes: Uint8Array): Promise<void> {
  await writeFile(`${file}.new`, bytes);
  await rename(`${file}.new`, file);
}

/** Returns the archive with changed metadata of the same length. */
function withMetadata(change: (metadata: Record<string, unknown>) => void): Buffer {
  const [offset = 0, length = 0] = [24, 32].map((at) => Number(archive.readBigUInt64LE(at)));
  const text = gunzipSync(archive.subarray(offset, offset + length)).toString();
  const metadata = JSON.parse(text) as Record<string, unknown>;
  change(metadata);
  const bytes = gzipSync(JSON.stringify(metadata));
  const changed = Buffer.concat([archive, bytes]);
  changed.writeBigUInt64LE(BigInt(archive.length), 24);
  changed.writeBigUInt64LE(BigInt(bytes.length), 32);
  return changed;
}

const examine = (bytes: Buffer) =>
  examineArchive(bytes.length, ({ start, end }) =>
    Promise.resolve(new Uint8Array(bytes.subarray(start, end + 1))),
  );

test('metadata that decompress to more than a map’s size are rejected', async () => {
  const bomb = withMetadata((metadata) => (metadata.pad = 'x'.repeat(50_000_000)));
  expect((await examine(bomb)).problems).toEqual(['its metadata cannot be read: it is damaged']);
});

// An archive that is larger than the maximum range. The bytes after the last tile are unused.
const archive = Buffer.concat([await readFile(FIXTURE), Buffer.alloc(2 * MAX_RANGE_BYTES)]);
const folder = temporaryFolder();
const file = path.join(folder, 'town.pmtiles');
await writeFile(file, archive);
const host = await startTestHost({ MAP_FILE: file, TRUST_PROXY: 'true' });
const url = (await siteMap(host))?.url ?? '';

test('ranges: a response has a Content-Range and an ETag, and is cacheable while the URL contains this version', async () => {
  const response = await range(url, '100-299');
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe(`bytes 100-299/${archive.length}`);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(Buffer.from(await response.arrayBuffer())).toEqual(archive.subarray(100, 300));
  const tail = await range(`${host.url}/map.pmtiles`, '-50');
  expect(tail.headers.get('cache-control')).toBe('no-cache');
  expect(Buffer.from(await tail.arrayBuffer())).toEqual(archive.subarray(-50));
});

test('ranges: a conditional request gets no bytes, and HEAD returns the size', async () => {
  const etag = (await range(url, '0-9')).headers.get('etag') ?? '';
  const again = await range(url, '0-9', { 'if-none-match': etag });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await fetch(url, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(archive.length));
});

test.each([
  ['beyond the end', '99999999-', 416],
  ['backwards', '20-10', 416],
  ['larger than one may be', `0-${MAX_RANGE_BYTES}`, 400],
  ['of several parts', '0-1,5-6', 400],
  ['in other units', 'x', 400],
])('ranges: a range %s: %s', async (_, bytes, status) => {
  const response = await range(url, bytes);
  expect(response.status).toBe(status);
  if (status === 416)
    expect(response.headers.get('content-range')).toBe(`bytes */${archive.length}`);
  await response.arrayBuffer();
});

test('ranges: the whole file, other files and writing are not available', async () => {
  const whole = await fetch(url);
  expect([whole.status, whole.headers.get('cache-control')]).toEqual([400, 'no-store']);
  for (const other of ['/map.pmtiles/secret', '/map.pmtiles/..%2fjwt-secret'])
    expect((await range(host.url + other, '0-9')).status).toBe(404);
  expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(405);
  const wrong = '../map.pmtiles maps/../../x.pmtiles https://x.example/a.pmtiles map.db';
  for (const name of wrong.split(' '))
    expect(() => readSettings({ MAP_FILE: name })).toThrow('MAP_FILE');
});

test('ranges: pages of any origin may read the file, because the native shells have their own origin', async () => {
  const headers = { origin: 'capacitor://localhost', 'access-control-request-headers': 'range' };
  const preflight = await fetch(url, { method: 'OPTIONS', headers });
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Range');
  const response = await range(url, '0-9', { origin: 'capacitor://localhost' });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-expose-headers')).toContain('ETag');
});

test('ranges: a client that requests more than a phone needs is throttled, and other clients are not', async () => {
  const fetchRange = (address: string) =>
    range(url, `0-${MAX_RANGE_BYTES - 1}`, { 'x-forwarded-for': address });
  // All IP addresses in an IPv6 /64 network count as one client.
  for (const ipOf of [() => '203.0.113.9', (index: number) => `2001:db8:0:1::${index}`]) {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => (await fetchRange(ipOf(index))).status),
    );
    expect(statuses.filter((status) => status === 206).length).toBeGreaterThan(5);
    expect(statuses).toContain(429);
  }
  for (const address of ['203.0.113.10', '2001:db8:0:2::1'])
    expect((await fetchRange(address)).status).toBe(206);
});

test('the file: a replacement during a read is detected, and the next read returns the new file', async () => {
  const reader = new PMTiles(`${host.url}/map.pmtiles`);
  const before = await reader.getZxy(0, 0, 0);
  expect(before?.data.byteLength).toBeGreaterThan(50);
  const { version } = (await siteMap(host)) ?? {};
  await replace(withMetadata((metadata) => (metadata.description = 'renewed')));
  expect((await reader.getZxy(0, 0, 0))?.data).toEqual(before?.data);
  expect((await siteMap(host))?.version).not.toBe(version);
  const stale = await range(url, '0-9', { 'if-match': `"${version}"` });
  expect(stale.status).toBe(412);
  await replace(archive);
  // Equal bytes have the same version, regardless of when they were written.
  await range(url, '0-9');
  expect((await siteMap(host))?.version).toBe(version);
});

test('the file: with continuous reads and replacements, no response mixes two files', async () => {
  // The two archives differ only in bytes after the last tile, which tell the archives apart.
  const letters = ['a', 'b'].map((letter) => {
    const marked = withMetadata((metadata) => (metadata.description = letter));
    return Buffer.concat([marked, Buffer.alloc(MAX_RANGE_BYTES, letter)]);
  }) as [Buffer, Buffer];
  const [start, end] = [letters[0].length - MAX_RANGE_BYTES, letters[0].length - 1];
  let done = false;
  const seen = new Map<string, Set<string>>();
  async function readWithoutPause(reader: number): Promise<void> {
    for (let turn = 0; !done; turn++) {
      const address = `198.51.${reader}.${turn % 250}`;
      const response = await range(`${host.url}/map.pmtiles`, `${start}-${end}`, {
        'x-forwarded-for': address,
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      if (response.status !== 206) continue;
      const of = new Set([bytes.at(0), bytes.at(bytes.length / 2), bytes.at(-1)].map(String));
      const etag = response.headers.get('etag') ?? '';
      seen.set(etag, new Set([...(seen.get(etag) ?? []), ...of]));
    }
  }
  const readers = [1, 2, 3].map(readWithoutPause);
  for (let turn = 0; turn < 12; turn++) {
    const next = letters[turn % 2] ?? archive;
    // Replaces the file, or overwrites it in place.
    await (turn % 3 === 2 ? writeFile(file, next) : replace(next));
    await range(`${host.url}/map.pmtiles`, '0-9');
  }
  done = true;
  await Promise.all(readers);
  await replace(archive);
  expect([...seen.values()].map(({ size }) => size)).toEqual([1, 1]);
});

test('a demo shows its invented town, until parks are imported or TILE_URL is set', async () => {
  const demo = await startTestHost();
  const { connectionString } = demo;
  const start = (environment = {}) =>
    startTestHost({ DATABASE_URL: connectionString, ...environment });
  expect(await siteMap(demo)).toBeNull();
  await demo.sql`insert into public.parks (lat, long, status, source) values (32.1, 34.8, 'approved', 'demo')`;
  const map = await siteMap(await start());
  expect(map).toMatchObject({ invented: true, attribution: '', maxZoom: 15 });
  expect((await range(map?.url ?? '', '0-99')).status).toBe(206);
  expect(await siteMap(await start({ TILE_URL: 'http://127.0.0.1:9/{z}/{x}/{y}.png' }))).toBeNull();
  expect(await siteMap(await start({ MAP_FILE: FIXTURE }))).not.toHaveProperty('invented');
  await demo.sql`insert into public.parks (lat, long, status, source) values (48.2, 16.3, 'approved', 'town')`;
  expect(await siteMap(await start())).toBeNull();
});

test('a map without any of the parks is reported', async () => {
  const settings = readSettings({ MAP_FILE: FIXTURE });
  const pool = host.database.pool;
  const { rows } = await pool.query<{ id: string }>(
    `insert into public.parks (lat, long, status) values (-36.8, 174.7, 'approved') returning id`,
  );
  onTestFinished(async () => {
    await pool.query('delete from public.parks where id = $1', [rows[0]?.id]);
  });
  expect(await checkMapCoverage(pool, settings)).toEqual([
    [
      expect.stringMatching(/warn|note/),
      expect.stringMatching(/shows (none|\d+) of the \d+ parks/),
    ],
  ]);
});

test('the file: a truncated one is not served, the site uses tiles instead, and doctor reports the problem', async () => {
  const half = path.join(folder, 'half.pmtiles');
  await copyFile(file, half);
  await truncate(half, 100_000);
  const damaged = await startTestHost({ MAP_FILE: half, DATABASE_URL: host.connectionString });
  expect(await siteMap(damaged)).toBeNull();
  expect((await range(`${damaged.url}/map.pmtiles`, '0-9')).status).toBe(503);
  const doctor = await runCli(['doctor'], { MAP_FILE: half, DATA_DIR: temporaryData() });
  expect(doctor.stdout).toMatch(/bad +The map \(.*half\.pmtiles\) cannot be used: it is truncated/);
  expect(doctor.code).toBe(1);
});

test.each<[string, () => Buffer, RegExp]>([
  ['an empty one', () => Buffer.alloc(0), /no PMTiles file/],
  ['a page', () => Buffer.from('<!doctype html>'.repeat(20)), /no PMTiles file/],
  ['an older version', () => Buffer.from(archive).fill(2, 7, 8), /PMTiles version 2/],
  ['pictures', () => Buffer.from(archive).fill(2, 99, 100), /holds pictures/],
  ['another compression', () => Buffer.from(archive).fill(4, 98, 99), /compressed/],
  ['a damaged directory', () => Buffer.from(archive).fill(0, 127, 200), /damaged or truncated/],
  [
    'another schema',
    () => withMetadata((metadata) => (metadata.vector_layers = [{ id: 'transportation' }])),
    /another schema.*transportation/,
  ],
  [
    'an older schema',
    () => withMetadata((metadata) => (metadata.version = '3.7.1')),
    /version 3\.7\.1 of Protomaps/,
  ],
])('the file: the error describes %s', async (_, make, problem) => {
  const { problems, summary } = await examine(make());
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(summary).toBe('');
});

test('the file: an archive with few zoom levels is noted, because the app enlarges its last level', async () => {
  const early = path.join(folder, 'early.pmtiles');
  await writeFile(early, Buffer.from(archive).fill(12, 101, 102));
  const { maxZoom, notes } = await examine(await readFile(early));
  expect([maxZoom, notes]).toEqual([12, [expect.stringMatching(/^it ends at zoom 12/)]]);
  const small = await startTestHost({ MAP_FILE: early, DATABASE_URL: host.connectionString });
  expect((await siteMap(small))?.maxZoom).toBe(12);
});

test('the file: a valid one is described', async () => {
  const { problems, notes, summary } = await examine(archive);
  expect([problems, notes]).toEqual([[], []]);
  expect(summary).toMatch(/MB, zoom 0 to 15, from 32\.09, 7\.41 to 43\.76, 34\.83$/);
});

/** Starts a bucket that contains a map, and returns the settings of a host that uses it. */
async function startBucket(map: Buffer) {
  const s3 = await startS3Server();
  const client = new S3Client({
    endpoint: s3.environment.S3_ENDPOINT ?? '',
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  });
  const put = (Body: Buffer) =>
    client.send(
      new PutObjectCommand({ Bucket: s3.environment.S3_BUCKET, Key: 'town.pmtiles', Body }),
    );
  await put(map);
  const environment: Record<string, string> = {
    ...s3.environment,
    MAP_FILE: 'town.pmtiles',
    DATABASE_URL: host.connectionString,
  };
  atEnd(() => client.destroy());
  return { environment, put };
}

test('two hosts with one bucket serve the same map, and a copy on disk has the same version', async () => {
  const { environment, put } = await startBucket(archive);
  const hosts = await Promise.all([startTestHost(environment), startTestHost(environment)]);
  const maps = await Promise.all(hosts.map(siteMap));
  await utimes(file, new Date(0), new Date(0));
  expect(maps.map((map) => map?.version)).toEqual(Array(2).fill((await siteMap(host))?.version));
  const readAll = () =>
    Promise.all(hosts.map(({ url: at }) => range(`${at}/map.pmtiles`, '100-299')));
  const parts = await readAll();
  expect(new Set(parts.map(({ headers }) => headers.get('etag'))).size).toBe(1);
  for (const part of parts)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(archive.subarray(100, 300));

  await put(withMetadata((metadata) => (metadata.description = 'renewed')));
  const etags = (await readAll()).map(({ headers }) => headers.get('etag'));
  expect(new Set(etags).size).toBe(1);
  expect(etags[0]).not.toBe(parts[0]?.headers.get('etag'));
});

const bucket = await startBucket(archive);
const line = await startFlakyConnection(bucket.environment.S3_ENDPOINT ?? '');

test('an unreliable bucket: while it is down a range returns an error that clients retry, and the site still has its map', async () => {
  const weak = await startTestHost({ ...bucket.environment, S3_ENDPOINT: line.url });
  const known = await siteMap(weak);
  line.state = 'cut';
  const response = await range(known?.url ?? '', '100-299');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await siteMap(weak)).toEqual(known);
  line.state = 'good';
  expect((await range(known?.url ?? '', '100-299')).status).toBe(206);
});

test.each(['silent', 'stops'] as const)(
  'an unreliable bucket: a store that does not respond or stalls (%s) times out',
  async (state) => {
    // The test triggers the timeout itself, so that a good response does not time out on a slow machine.
    const limits: AbortController[] = [];
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      limits.push(new AbortController());
      return limits.at(-1)?.signal as AbortSignal;
    });
    onTestFinished(() => timeout.mockRestore());
    line.state = 'good';
    const settings = readSettings({ ...bucket.environment, S3_ENDPOINT: line.url });
    const file = createS3File(settings, 'town.pmtiles');
    const { stamp = '' } = (await file.state()) ?? {};
    line.state = state;
    const read = file.read(stamp, { start: 0, end: 99_999 });
    const given = expect(read).rejects.toThrow(StoreUnavailableError);
    await expect.poll(() => line.waiting).toBe(1);
    limits.at(-1)?.abort(new DOMException('It took too long', 'TimeoutError'));
    await given;
    line.state = 'good';
    expect(await file.read(stamp, { start: 0, end: 99 })).toHaveLength(100);
  },
);

test('an unreliable bucket: no page waits for it, and tiles are shown instead', async () => {
  line.state = 'silent';
  const waiting = await startTestHost({ ...bucket.environment, S3_ENDPOINT: line.url });
  expect(await siteMap(waiting)).toBeNull();
  expect(line.waiting).toBe(1);
});
