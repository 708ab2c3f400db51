// Tests function calls with the official client: arguments, overloads, results, and the request's data that a function can read.
import { expect, test } from 'vitest';
import { startRestHost } from '../../../../testing/rest-fixture.ts';

const host = await startRestHost();
const db = host.library();

const post = (name: string, body: string, headers: Record<string, string> = {}) =>
  host.post(`rpc/${name}`, body, { headers });

test('a function returns a scalar and has default arguments, by POST and GET', async () => {
  expect((await db.rpc('add', { a: 1, b: 2 })).data).toBe(3);
  expect((await db.rpc('add', { a: 1 })).data).toBe(11);
  expect((await db.rpc('add', { a: 1, b: 2 }, { get: true })).data).toBe(3);
  expect((await db.rpc('null_text')).data).toBeNull();
});

test('a void function returns 204', async () => {
  expect(await db.rpc('nothing')).toMatchObject({ status: 204, data: null, error: null });
  expect((await host.rest('rpc/nothing')).status).toBe(204);
});

test('select, filters, order, pages, counts and embeds work on the rows of a function', async () => {
  const { data, count } = await db
    .rpc('books_over', { min_pages: 100 }, { count: 'exact' })
    .select('title, authors(name), publisher_id(name)')
    .eq('genre', 'novel')
    .order('title')
    .limit(1);
  expect({ data, count }).toEqual({
    data: [{ title: 'Running Dogs', authors: [{ name: 'Dora "Quote" Katz' }], publisher_id: null }],
    count: 2,
  });
  expect(
    (await host.rest('rpc/books_over?min_pages=100&select=id&id=gt.1&order=id.desc')).json,
  ).toEqual([{ id: 4 }, { id: 3 }]);
});

test('one row is an object; the rows of a table function and a set of scalars are arrays', async () => {
  expect((await db.rpc('first_book').select('id, title')).data).toEqual({
    id: 1,
    title: 'The Quiet Park',
  });
  expect((await db.rpc('first_book').select('id').single()).data).toEqual({ id: 1 });
  expect((await db.rpc('pairs', { n: 2 })).data).toEqual([
    { x: 1, y: 'y1' },
    { x: 2, y: 'y2' },
  ]);
  expect((await db.rpc('pairs', { n: 3 }).select('y').eq('x', 2)).data).toEqual([{ y: 'y2' }]);
  expect((await host.rest('rpc/corners?select=y&x=gt.1')).json).toEqual([{ y: 4 }]);
  expect((await db.rpc('numbers', { upto: 3 })).data).toEqual([1, 2, 3]);
  expect((await db.rpc('pairs', { n: 2 }).single()).error?.code).toBe('PGRST116');
  expect((await db.rpc('pairs', { n: 2 }).csv()).data).toBe('x,y\n1,y1\n2,y2');
  expect((await db.rpc('pairs', { n: 2 }, { head: true, count: 'exact' })).count).toBe(2);
});

test('arguments can be arrays, variadic, or the whole body', async () => {
  expect((await db.rpc('joined', { words: ['a', 'b,c'], glue: '+' })).data).toBe('a+b,c');
  expect((await host.rest('rpc/joined?words={a,b}')).json).toBe('a-b');
  expect((await db.rpc('joined', { words: ['x', 'y'] }, { get: true })).data).toBe('x-y');
  expect((await db.rpc('total', { amounts: [1, 2, 3] })).data).toBe(6);
  expect((await host.rest('rpc/total?amounts=1&amounts=5')).json).toBe(6);
  expect((await post('keys_of', '{"p":1,"q":{"r":2}}')).json).toBe('p,q');
});

test('overloads are distinguished by the names of their arguments', async () => {
  expect((await db.rpc('overloaded', { a: 1 })).data).toBe('int');
  expect((await db.rpc('overloaded', { a: 1, b: 2 })).data).toBe('two');
  const { status, error } = await db.rpc('ambiguous', { a: 1 });
  expect({ status, code: error?.code }).toEqual({ status: 300, code: 'PGRST203' });
});

test('unknown functions and arguments return an error with a hint', async () => {
  expect(await post('ad', '{}')).toMatchObject({
    status: 404,
    json: {
      code: 'PGRST202',
      message: 'Could not find the function public.ad without parameters in the schema cache',
    },
  });
  expect(await post('add', '{"a":1,"c":2}')).toMatchObject({
    status: 404,
    json: {
      code: 'PGRST202',
      message: 'Could not find the function public.add(a, c) in the schema cache',
      details:
        'Searched for the function public.add with parameters a, c or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.add(a, b)',
    },
  });
  expect(await host.rest('rpc/books_overr?min_pages=1')).toMatchObject({
    status: 404,
    json: { hint: 'Perhaps you meant to call the function public.books_over' },
  });
});

test('a function that writes requires POST; other methods are rejected', async () => {
  expect((await host.rest('rpc/bump?counter=visits')).code).toBe('405 25006');
  expect((await db.rpc('bump', { counter: 'visits' })).data).toBe(6);
  expect((await db.rpc('bump', { counter: 'visits' }).single()).data).toBe(7);
  expect(await host.patch('rpc/bump', '{}')).toMatchObject({
    status: 405,
    json: { code: 'PGRST101', message: 'Cannot use the PATCH method on RPC' },
  });
});

test('a call whose result is rejected is rolled back', async () => {
  const { error } = await db.rpc('pairs_and_bump' as never).single();
  expect(error?.code).toBe('PGRST202');
  await host.sql`create function public.bump_twice() returns setof int language sql as $$
    select public.bump('loans') union all select public.bump('loans') $$; notify pgrst, 'reload schema'`;
  await expect.poll(async () => (await host.rest('rpc/bump_twice?x=eq.1')).status).not.toBe(404);
  const twice = async (headers: Record<string, string>) =>
    (await post('bump_twice', '{}', headers)).code;
  expect(await twice({ accept: 'application/vnd.pgrst.object+json' })).toBe('406 PGRST116');
  expect(await twice({ prefer: 'handling=strict, max-affected=1' })).toBe('400 PGRST124');
  const loans = await host.sql(`select value from public.counters where name = 'loans'`);
  expect(loans).toEqual([{ value: 2 }]);
});

test('an error that a function raises determines the response', async () => {
  const raise = async (state: string, words = 'sorry') => {
    const { status, json } = await post('complain', JSON.stringify({ state, words }));
    return { status, json };
  };
  const body = (code: string) => ({ code, message: 'sorry', details: 'a detail', hint: 'a hint' });
  const statuses = { P0001: 400, PT402: 402, 23505: 409, 42501: 401, XX001: 500 };
  for (const [code, status] of Object.entries(statuses))
    expect(await raise(code)).toEqual({ status, json: body(code) });
  const tea = await post('dictate', '{}');
  expect(tea).toMatchObject({
    status: 418,
    json: { code: 'X1', message: 'teapot', details: 'd', hint: null },
  });
  expect(tea.headers.get('x-tea')).toBe('earl grey');
});

test('a function sets the status and the headers of its response only', async () => {
  await host.sql`create function public.brew(status text, headers text) returns text language plpgsql as $$
    begin
      perform set_config('response.status', status, false), set_config('response.headers', headers, false);
      return 'tea';
    end $$; notify pgrst, 'reload schema'`;
  const nothing = JSON.stringify({ status: '', headers: '' });
  await expect.poll(async () => (await post('brew', nothing)).status).toBe(200);
  const headers =
    '[{"X-Tea": "mint"}, {"Cache-Control": "max-age=5"}, {"Content-Type": "text/x-tea"}]';
  const brewed = await db.rpc('brew', { status: '418', headers });
  expect(brewed.status).toBe(418);
  const result = await post('brew', JSON.stringify({ status: '202', headers }));
  expect(result).toMatchObject({ status: 202, json: 'tea' });
  expect(result.headers.get('x-tea')).toBe('mint');
  expect(result.headers.get('cache-control')).toBe('max-age=5');
  expect(result.headers.get('content-type')).toBe('text/x-tea');
  expect(await post('brew', '{"status":"204","headers":""}')).toMatchObject({
    status: 204,
    text: '',
  });
  const rejected = async (status: string, list: string) =>
    (await post('brew', JSON.stringify({ status, headers: list }))).code;
  expect(await rejected('tea', '')).toBe('500 PGRST112');
  expect(await rejected('', '{"a":"b"}')).toBe('500 PGRST111');
  expect(await rejected('', '[{"a":"b","c":"d"}]')).toBe('500 PGRST111');
  const next = await Promise.all(Array.from({ length: 20 }, () => post('add', '{"a":1}')));
  expect(next.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(next.some((each) => each.headers.has('x-tea'))).toBe(false);
});

test('a function can read the caller, the method, the path and the headers', async () => {
  const response = await post('request_told', '{}', { 'x-agent': 'tests' });
  expect(response.json).toEqual({
    role: 'anon',
    claims: 'anon',
    method: 'POST',
    path: '/rpc/request_told',
    agent: 'tests',
    read_only: 'on',
  });
  const { token } = await host.user('Ann');
  const { data } = await host.library(token).rpc('request_told');
  expect(data).toMatchObject({ role: 'authenticated', claims: 'authenticated' });
});

test('functions can read the request from views, policies, triggers and dynamic SQL', async () => {
  await host.sql`
    create function public.agent() returns text language sql stable as
      $$ select current_setting('request.headers', true)::json ->> 'x-agent' $$;
    create function public.my_agent() returns text language sql stable as $$ select public.agent() $$;
    create function public.dynamic_agent() returns text language plpgsql stable as $$
    declare found text;
    begin
      execute 'select public.' || 'agent()' into found;
      return found;
    end $$;
    create function public.asked_by(public.books) returns text language sql stable as $$ select public.my_agent() $$;
    create view public.agents as select public.my_agent() as agent;
    create table public.calls (id int generated by default as identity primary key, agent text);
    alter table public.calls enable row level security;
    create policy "callers see their calls" on public.calls for select using (agent = public.my_agent());
    create policy "anyone calls" on public.calls for insert with check (true);
    create function public.note_agent() returns trigger language plpgsql as $$
    begin
      new.agent := public.my_agent();
      return new;
    end $$;
    create trigger note_agent before insert on public.calls for each row execute function public.note_agent();
    notify pgrst, 'reload schema'`;
  const headers = { 'x-agent': 'tests' };
  await expect.poll(async () => (await host.rest('agents', { headers })).status).toBe(200);
  const called = { headers, prefer: 'return=representation' };
  expect((await host.post('calls?select=agent', '{}', called)).json).toEqual([{ agent: 'tests' }]);
  for (const [path, result] of [
    ['agents', [{ agent: 'tests' }]],
    ['calls?select=agent', [{ agent: 'tests' }]],
    ['books?select=asked_by&limit=1', [{ asked_by: 'tests' }]],
    ['rpc/my_agent', 'tests'],
    ['rpc/dynamic_agent', 'tests'],
  ] as const)
    expect((await host.rest(path, { headers })).json, path).toEqual(result);
  const other = await host.rest('calls?select=agent', { headers: { 'x-agent': 'others' } });
  expect(other.json).toEqual([]);
});

test('a slow statement is cancelled, and its connection is reused without damage', async () => {
  expect((await post('nap', '{"seconds":9}')).code).toBe('504 57014');
  expect((await db.rpc('add', { a: 1 })).data).toBe(11);
});
