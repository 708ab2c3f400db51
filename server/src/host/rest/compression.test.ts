// Tests that long responses are compressed if the client accepts it, and short ones are not.
import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startRestHost } from '../../../../testing/rest-fixture.ts';

const host = await startRestHost();
await host.sql(
  `insert into public.publishers (id, name, city) select 1000 + n, 'Publisher ' || n, 'City ' || n % 9 from generate_series(1, 300) as n;
   create function public.tagged() returns json language sql as $$
     select json_agg(set_config('response.headers', '[{"ETag": "\\"v1\\""}]', true)) from generate_series(1, 300) $$;
   notify pgrst, 'reload schema'`,
);

/** Returns the bytes as they are sent, because fetch would decode them. */
async function raw(path: string, accepted: string, method = 'GET') {
  const headers = { apikey: host.tokens.anonKey, 'accept-encoding': accepted };
  const sent = sendRequest(`${host.url}/rest/v1/${path}`, { method, headers }).end();
  const [result] = (await once(sent, 'response')) as [IncomingMessage];
  return { body: await buffer(result), headers: result.headers };
}

const LIST = 'publishers?id=gt.1000&order=id';

test('a long response is compressed to at most a third, by brotli or gzip', async () => {
  const plain = await raw(LIST, 'identity');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers.vary).toContain('Accept-Encoding');
  const brotli = await raw(LIST, 'gzip, deflate, br');
  expect(brotli.headers).toMatchObject({
    'content-encoding': 'br',
    'content-range': '0-299/*',
    vary: plain.headers.vary,
  });
  expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
  const zipped = await raw(LIST, 'gzip');
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(zipped.body)).toEqual(plain.body);
  for (const { body } of [brotli, zipped])
    expect(body.length).toBeLessThanOrEqual(plain.body.length / 3);
});

test('a short response and one without a body are not compressed', async () => {
  const short = await raw(`${LIST}&limit=5`, 'br');
  expect(short.headers['content-encoding']).toBeUndefined();
  expect(short.headers.vary).toBeUndefined();
  expect(JSON.parse(short.body.toString())).toHaveLength(5);
  const head = await raw(LIST, 'br', 'HEAD');
  expect({ body: head.body.length, coding: head.headers['content-encoding'] }).toEqual({
    body: 0,
    coding: undefined,
  });
});

test('a compressed response has a different, weak ETag', async () => {
  await expect.poll(async () => (await host.rest('rpc/tagged')).status).toBe(200);
  expect((await raw('rpc/tagged', 'identity')).headers.etag).toBe('"v1"');
  expect((await raw('rpc/tagged', 'br')).headers).toMatchObject({
    etag: 'W/"v1"',
    'content-encoding': 'br',
  });
});

test('the official client can read a compressed response', async () => {
  const { data } = await host.library().from('publishers').select().gt('id', 1000);
  expect(data).toHaveLength(300);
});
