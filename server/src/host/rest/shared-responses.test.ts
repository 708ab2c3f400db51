// Tests that responses that the database marks as public are created once and shared, and that all others are created for each
// caller.
import { expect, onTestFinished, test, vi } from 'vitest';
import { startRestHost } from '../../../../testing/rest-fixture.ts';

const host = await startRestHost();
// The response is different each time it is created.
await host.sql`create function public.announce(control text, topic text default '') returns json language plpgsql as $$
     begin
       perform set_config('response.headers', json_build_array(
         json_build_object('Cache-Control', control), json_build_object('ETag', '"' || md5(topic) || '"'))::text, true);
       perform pg_sleep(0.05);
       if topic = 'broken' then raise exception 'broken'; end if;
       return json_build_object('made', random(), 'role', auth.role(), 'topic', topic);
     end $$;
   grant execute on function public.announce to anon, authenticated;
   notify pgrst, 'reload schema'`;

const PUBLIC = 'public, max-age=0, s-maxage=60';

async function send(parameters: Record<string, string>, headers: Record<string, string> = {}) {
  const query = new URLSearchParams({ control: PUBLIC, ...parameters });
  const response = await fetch(`${host.url}/rest/v1/rpc/announce?${query}`, {
    headers: { apikey: host.tokens.anonKey, ...headers },
  });
  const text = await response.text();
  return { response, text, made: text.startsWith('{') ? JSON.parse(text).made : null };
}

test('a public response is the same for all callers, with the key in the header or the URL', async () => {
  const first = await send({ topic: 'everybody' });
  const { client } = await host.user('Ann');
  const { data } = await client.rpc(
    'announce' as never,
    { control: PUBLIC, topic: 'everybody' } as never,
    { get: true },
  );
  expect(data).toEqual(JSON.parse(first.text));
  const byQuery = await fetch(
    `${host.url}/rest/v1/rpc/announce?${new URLSearchParams({ control: PUBLIC, topic: 'everybody', apikey: host.tokens.anonKey })}`,
  );
  expect(await byQuery.text()).toBe(first.text);
  expect(byQuery.headers.get('cache-control')).toBe(PUBLIC);
  expect(byQuery.headers.has('content-range')).toBe(false);
});

test('concurrent identical requests share one query', async () => {
  await send({ topic: 'path is known' });
  const results = await Promise.all(Array.from({ length: 20 }, () => send({ topic: 'at once' })));
  expect(new Set(results.map(({ text }) => text)).size).toBe(1);
});

test('a conditional request for an unchanged response returns 304', async () => {
  const { response } = await send({ topic: 'validated' });
  const etag = response.headers.get('etag') ?? '';
  expect(etag).toMatch(/^".+"$/);
  const again = await send({ topic: 'validated' }, { 'if-none-match': etag });
  expect({ status: again.response.status, text: again.text }).toEqual({ status: 304, text: '' });
  const other = await send({ topic: 'validated' }, { 'if-none-match': '"another"' });
  expect(other.response.status).toBe(200);
});

test('a stored response expires', async () => {
  // With a manual clock, the second request arrives in time however slow the machine is.
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());
  // The start is an integer, because sums of fractions are not exact.
  const start = Math.ceil(performance.now());
  clock.mockImplementation(() => start);
  const short = { control: 'public, s-maxage=1', topic: 'short' };
  const first = await send(short);
  clock.mockImplementation(() => start + 1000);
  expect((await send(short)).text).toBe(first.text);
  clock.mockImplementation(() => start + 1001);
  expect((await send(short)).text).not.toBe(first.text);
});

test.each(['', 'max-age=60', 'private, s-maxage=60', 'no-store', 'public, s-maxage=0'])(
  'a response with "%s" is created for each caller',
  async (control) => {
    const [first, second] = [await send({ control }), await send({ control })];
    expect(first.made).not.toBe(second.made);
  },
);

test('other parameters, formats and keys do not return the stored response', async () => {
  const first = await send({ topic: 'forms' });
  expect((await send({ topic: 'forms ' })).text).not.toBe(first.text);
  expect((await send({ topic: 'forms' }, { accept: 'text/csv' })).text).not.toBe(first.text);
  expect((await send({ topic: 'forms' }, { prefer: 'count=exact' })).text).not.toBe(first.text);
  for (const wrong of [{ apikey: 'wrong' }, { authorization: 'Bearer a.b.c' }] as Record<
    string,
    string
  >[])
    expect((await send({ topic: 'forms' }, wrong)).response.status).toBe(401);
});

test('errors are not shared', async () => {
  await send({ topic: 'path is known' });
  const failed = await Promise.all([send({ topic: 'broken' }), send({ topic: 'broken' })]);
  expect(failed.map(({ response }) => response.status)).toEqual([400, 400]);
});
