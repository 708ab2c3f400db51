// A seeded run of malformed and hostile requests over every route of storage: an answer in its shape, never a 5xx.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../../../testing/test-host.ts';

/** `FUZZ_REQUESTS=100000` for the long run; the seed makes every run the same. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 800);
const SECRET = 'nobody-may-read-this';

let host: TestHost;
let token: string;
let owner: string;

beforeAll(async () => {
  host = await startTestHost();
  owner = randomUUID();
  await host.sql(`
    insert into storage.buckets (id, name, public) values ('box', 'box', false), ('open', 'open', true);
    create policy "own folder" on storage.objects to authenticated
      using (bucket_id = 'box' and name like auth.uid() || '/%') with check (bucket_id = 'box' and name like auth.uid() || '/%')`);
  const service = host.client({ key: host.tokens.serviceKey }).storage.from('box');
  await service.upload(`${SECRET}/${SECRET}.txt`, SECRET);
  token = await host.tokens.sign({ role: 'authenticated', sub: owner }, 3600);
});
afterAll(() => host.close());

/** mulberry32: small, and the same everywhere. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

test(
  'nothing breaks it, and nothing of others comes out',
  async () => {
    const next = random(20_26);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
    const words = () =>
      pick([
        'box',
        'open',
        'none',
        owner,
        `${owner}/a.txt`,
        `${SECRET}/${SECRET}.txt`,
        SECRET,
        'a/b/c',
        '',
        '/',
        '//',
        '..',
        '%2e%2e%2f',
        '%00',
        '%FF',
        '%E0%A4%A',
        'שלום',
        '😀',
        "'; drop table x;--",
        'x'.repeat(3000),
        '*',
        '?a=b',
        '#',
        '\\',
        '%',
        '_',
        '-1',
        '1e309',
        'null',
      ]);
    const paths = [
      () => `/bucket/${words()}`,
      () => `/bucket/${words()}/empty`,
      () => `/bucket?limit=${words()}&sortColumn=${words()}`,
      () => `/object/${words()}/${words()}`,
      () => `/object/public/${words()}/${words()}`,
      () => `/object/authenticated/${words()}/${words()}`,
      () => `/object/info/${words()}/${words()}`,
      () => `/object/sign/${words()}/${words()}?token=${words()}`,
      () => `/object/sign/${words()}`,
      () => `/object/upload/sign/${words()}/${words()}?token=${words()}`,
      () => `/object/list/${words()}`,
      () => `/object/list-v2/${words()}`,
      () => '/object/move',
      () => '/object/copy',
      () => `/object/${words()}`,
      () =>
        `/render/image/${pick(['public', 'authenticated', 'sign'])}/${words()}/${words()}?width=${words()}&quality=${words()}`,
      () => `/${words()}`,
    ];
    const value = (depth = 0): unknown =>
      pick<() => unknown>([
        words,
        () => next() * 1e9,
        () => -1,
        () => null,
        () => true,
        () => '\u0000',
        () => '\ud800',
        () => (depth > 2 ? [] : [value(depth + 1), value(depth + 1)]),
        () => (depth > 2 ? {} : { [words()]: value(depth + 1) }),
      ])();
    const names = [
      'prefix',
      'prefixes',
      'paths',
      'expiresIn',
      'limit',
      'offset',
      'sortBy',
      'search',
      'cursor',
      'bucketId',
      'sourceKey',
      'destinationKey',
      'destinationBucket',
      'id',
      'name',
      'public',
      'file_size_limit',
      'allowed_mime_types',
      'transform',
    ];
    const json = () =>
      JSON.stringify(
        Object.fromEntries(
          Array.from({ length: 4 }, () => [pick(names), pick([value(), words(), [words()], 60])]),
        ),
      );
    const bodies = [
      json,
      json,
      words,
      () => '{"a":',
      () =>
        '--x\r\nContent-Disposition: form-data; name=""; filename="a"\r\nContent-Type: image/png\r\n\r\nPNG\r\n--x--\r\n',
      () => '',
    ];
    const types = [
      'application/json',
      'multipart/form-data; boundary=x',
      'multipart/form-data',
      'image/png',
      'image/svg+xml',
      'text/html',
      'x',
      'application/json; charset=utf-16',
    ];
    const tokens = [token, token, token, host.tokens.anonKey, 'a.b.c', '', `${token}x`];

    let asked = '';
    async function one(): Promise<void> {
      const method = pick(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS']);
      const path = pick(paths)();
      const body = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : pick(bodies)();
      const headers: Record<string, string> = { authorization: `Bearer ${pick(tokens)}` };
      if (body !== undefined) headers['content-type'] = pick(types);
      if (next() < 0.2)
        headers.range = pick(['bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=a-b', 'bytes=0-1,2-3']);
      if (next() < 0.2)
        headers['x-metadata'] = pick([
          'e30=',
          'W10=',
          '////',
          Buffer.from('{"a":"\\u0000"}').toString('base64'),
        ]);
      if (next() < 0.2) headers['x-upsert'] = 'true';
      asked = `${method} ${path} ${JSON.stringify(headers)} ${body ?? ''}`.slice(0, 600);
      const address = encodeURI(`${host.url}/storage/v1${path}`).replaceAll('%25', '%');
      // The client itself resolves `..`, and then it is another service's path.
      if (!new URL(address).pathname.startsWith('/storage/v1/')) return;
      const answer = await fetch(address, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      const text = await answer.text();
      expect(answer.status, asked).toBeLessThan(500);
      // What was asked for may be repeated in an error; what stands inside may not come out.
      if (answer.ok && method === 'GET') expect(text, asked).not.toBe(SECRET);
      if (answer.ok && path.startsWith('/object/list')) expect(text, asked).not.toContain(SECRET);
    }
    for (let count = 0; count < REQUESTS; count += 1) await one();
    const { data } = await host
      .client({ key: host.tokens.serviceKey })
      .storage.from('box')
      .download(`${SECRET}/${SECRET}.txt`);
    expect(await data?.text()).toBe(SECRET);
  },
  Math.max(300_000, REQUESTS * 20),
);
