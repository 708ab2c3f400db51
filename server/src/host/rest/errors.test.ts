// Tests errors with PostgREST's messages, and callers: keys, tokens, roles and row-level security.
import { createHmac, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startRestHost } from '../../../../testing/rest-fixture.ts';

const host = await startRestHost();
const signIn = (sub: string = randomUUID()) => host.tokens.sign({ role: 'authenticated', sub }, 60);

const error = (code: string, message: string, details: unknown = null, hint: unknown = null) => ({
  code,
  message,
  details,
  hint,
});

test('names: an unknown table, with a hint if a similar name exists', async () => {
  expect(await host.rest('autors')).toMatchObject({
    status: 404,
    json: error(
      'PGRST205',
      "Could not find the table 'public.autors' in the schema cache",
      null,
      "Perhaps you meant the table 'public.authors'",
    ),
  });
  const result = await host.rest('zzz');
  expect(result.json).toEqual(
    error('PGRST205', "Could not find the table 'public.zzz' in the schema cache"),
  );
  expect(result.headers.get('proxy-status')).toBe('PostgREST; error=PGRST205');
});

test.each([
  ['authors?select=nope', 'authors'],
  ['authors?nope=eq.1', 'authors'],
  ['authors?order=nope', 'authors'],
  ['authors?or=(id.eq.1,nope.eq.2)', 'authors'],
  ['authors?select=id,books(id)&books.nope=eq.1', 'books'],
  ['authors?select=books(nope)', 'books'],
])('names: an unknown column: %s', async (path, table) => {
  expect(await host.rest(path)).toMatchObject({
    status: 400,
    json: error('42703', `column ${table}.nope does not exist`),
  });
});

test('names: an unknown column in a body, an unknown type of a cast, an unknown search configuration', async () => {
  expect(await host.post('authors', '{"nope":1}')).toMatchObject({
    status: 400,
    json: error('PGRST204', "Could not find the 'nope' column of 'authors' in the schema cache"),
  });
  expect((await host.rest('authors?select=id::nope')).code).toBe('400 42704');
  expect((await host.rest('books?title=fts(nope).x', { as: host.tokens.serviceKey })).code).toBe(
    '400 42704',
  );
});

test('names: no relationship, ambiguous relationships, and filters on a missing embed', async () => {
  expect(await host.rest('authors?select=id,shelves(label)')).toMatchObject({
    status: 400,
    json: error(
      'PGRST200',
      "Could not find a relationship between 'authors' and 'shelves' in the schema cache",
      "Searched for a foreign key relationship between 'authors' and 'shelves' in the schema 'public', but no matches were found.",
    ),
  });
  const hinted = await host.rest('authors?select=id,book(title)');
  expect(hinted.json.hint).toBe("Perhaps you meant 'books' instead of 'book'.");
  const several = await host.rest('books?select=id,publishers(name)');
  expect(several).toMatchObject({
    status: 300,
    json: {
      code: 'PGRST201',
      message:
        "Could not embed because more than one relationship was found for 'books' and 'publishers'",
      hint: "Try changing 'publishers' to one of the following: 'publishers!books_original_fkey', 'publishers!books_publisher_id_fkey'. Find the desired relationship in the 'details' key.",
    },
  });
  expect(several.json.details[1]).toEqual({
    cardinality: 'many-to-one',
    embedding: 'books with publishers',
    relationship: 'books_publisher_id_fkey using books(publisher_id) and publishers(id)',
  });
  expect(await host.rest('books?authors.name=eq.x')).toMatchObject({
    status: 400,
    json: error(
      'PGRST108',
      "'authors' is not an embedded resource in this request",
      null,
      "Verify that 'authors' is included in the 'select' query parameter.",
    ),
  });
  expect(await host.rest('books?select=id,authors(name)&order=authors(name)')).toMatchObject({
    status: 400,
    json: error(
      'PGRST118',
      "A related order on 'authors' is not possible",
      "'books' and 'authors' do not form a many-to-one or one-to-one relationship",
    ),
  });
  expect(await host.rest('books?select=id,authors(name)&authors=eq.1')).toMatchObject({
    status: 400,
    json: { code: 'PGRST120', message: "Bad operator on the 'authors' embedded resource" },
  });
});

test('names: for a table that references itself, each hint in the error works', async () => {
  const wrong = await host.rest('authors?select=id,authors!born(name)');
  expect(wrong).toMatchObject({ status: 400, json: { code: 'PGRST200' } });
  expect(wrong.json.hint).toBe(
    "Try changing 'authors' to one of the following: 'authors!authors_mentor_id_fkey'.",
  );
  await host.sql`create table public.steps (
      id int primary key, part_of int references public.steps, after int references public.steps)`;
  await expect.poll(async () => (await host.rest('steps')).status).toBe(200);
  const several = await host.rest('steps?select=id,steps(id)');
  expect(several).toMatchObject({ status: 300, json: { code: 'PGRST201' } });
  const hints = (several.json.hint as string).match(/steps!\w+/g) ?? [];
  expect(hints.sort()).toEqual(['steps!steps_after_fkey', 'steps!steps_part_of_fkey']);
  for (const each of hints)
    expect((await host.rest(`steps?select=id,${each}(id)`)).status).toBe(200);
});

test.each([
  'authors?id=1',
  'authors?id=',
  'authors?id=noop.1',
  'authors?id=eq',
  'authors?id=in.1,2',
  'authors?id=in.(1,2',
  'authors?id=is.maybe',
  'authors?id=eq(some).1',
  'authors?id=cs(any).1',
  'authors?or=()',
  'authors?or=(id.eq.1',
  'authors?or=id.eq.1',
  'authors?and=(xor(id.eq.1,id.eq.2))',
  'authors?select=id,(name)',
  'authors?select=id,name)',
  'authors?select=books(title',
  'authors?select=id::',
  'authors?select=!',
  'authors?select=,',
  'authors?order=id.up',
  'authors?order=id.desc.nullsmiddle',
  'authors?order=,',
  'authors?a.b.=eq.1',
])('grammar: %s', async (path) => {
  const { status, json } = await host.rest(path);
  expect({ status, code: json.code }).toEqual({ status: 400, code: 'PGRST100' });
  expect(json.message).toMatch(/^"failed to parse .+ \(line 1, column \d+\)$/s);
  expect(json.details).toMatch(/^unexpected .+ expecting .+/s);
});

test('grammar: aggregates are disabled', async () => {
  for (const select of ['count()', 'id.sum()', 'total:id.max()', 'books(count())'])
    expect((await host.rest(`authors?select=${select}`)).json?.code).toBe('PGRST123');
});

test('grammar: invalid ranges, paths, methods, profiles and bodies are rejected', async () => {
  expect((await host.rest('authors?limit=-1')).code).toBe('416 PGRST103');
  expect((await host.rest('authors', { headers: { range: '5-2' } })).code).toBe('416 PGRST103');
  expect((await host.rest('')).code).toBe('404 PGRST126');
  expect((await host.rest('authors/1')).code).toBe('404 PGRST125');
  expect((await host.rest('%E0%A4%A')).code).toBe('404 PGRST125');
  expect((await host.rest('authors', { method: 'LINK' })).code).toBe('405 PGRST117');
  expect(await host.rest('authors', { headers: { 'accept-profile': 'auth' } })).toMatchObject({
    status: 406,
    json: error(
      'PGRST106',
      'Invalid schema: auth',
      null,
      'Only the following schemas are exposed: public',
    ),
  });
  const post = (body: string, headers: Record<string, string> = {}) =>
    host.post('authors', body, { headers });
  expect(await post('{"name":')).toMatchObject({
    status: 400,
    json: error('PGRST102', 'Empty or invalid json'),
  });
  for (const body of ['7', '[1,2]']) expect((await post(body)).code).toBe('400 PGRST102');
  const form = await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' });
  expect(form.code).toBe('400 PGRST102');
  expect((await post(`{"name":"${'x'.repeat(1_000_001)}"}`)).code).toBe('413 PGRST102');
});

test.each([
  ['POST', 'publishers', '{"id":1,"name":"again"}', 409, '23505'],
  ['POST', 'copies', '{"id":99,"book_id":12345}', 409, '23503'],
  ['DELETE', 'authors?id=eq.1', null, 409, '23503'],
  ['POST', 'books', '{"title":"x","pages":-1}', 400, '23514'],
  ['POST', 'books', '{"pages":1}', 400, '23502'],
  ['POST', 'books', `{"title":"${'x'.repeat(61)}"}`, 400, '22001'],
  ['POST', 'books', '{"title":"x","genre":"opera"}', 400, '22P02'],
  ['POST', 'books', '{"title":"x","price":1e300}', 400, '22003'],
  ['POST', 'books', '{"title":"\\u0000"}', 400, '22P05'],
  ['GET', 'books?id=eq.x', null, 400, '22P02'],
  ['GET', 'books?id=eq.99999999999999999999', null, 400, '22003'],
  ['GET', 'books?title=eq.%00', null, 400, '22021'],
  ['GET', 'books?title=match.(', null, 400, '2201B'],
  ['GET', 'books?genre=like.x', null, 404, '42883'],
  ['GET', 'books?notes->a=eq.1', null, 404, '42883'],
  ['GET', 'books?search=fts.%27a b', null, 400, '42601'],
  ['GET', 'vault', null, 401, '42501'],
  ['POST', 'archived', '{"id":5}', 401, '42501'],
  ['POST', 'book_cards', '{"shout":"x"}', 400, '0A000'],
])('database errors: %s %s %s → %i %s', async (method, path, body, status, code) => {
  if (path === 'archived') await host.sql('revoke insert on public.archived from anon');
  // Costly operators need the service key, because anonymous callers must not use them.
  const as = /=(match|fts)\./.test(path) ? host.tokens.serviceKey : host.tokens.anonKey;
  const result = await host.rest(path, { method, as, body });
  expect({ status: result.status, code: result.json?.code }).toEqual({ status, code });
  expect(Object.keys(result.json)).toEqual(['code', 'message', 'details', 'hint']);
  expect(result.text).not.toContain('Failing row');
});

test('database errors: a view is reported as not writable only to callers with the privilege to write', async () => {
  const callers = [
    [host.tokens.anonKey, '401 42501'],
    [await signIn(), '403 42501'],
    [host.tokens.serviceKey, '400 55000'],
  ] as const;
  const writes = [
    ['halls', { method: 'POST', body: '{"hall":"x"}' }],
    ['halls?hall=eq.x', { method: 'PATCH', body: '{"hall":"y"}' }],
    ['halls?hall=eq.x', { method: 'DELETE' }],
  ] as const;
  for (const [as, code] of callers)
    for (const [path, init] of writes)
      expect(await host.rest(path, { ...init, as })).toMatchObject({ code });
  expect((await host.post('halls', '{"hall":"x"}')).json).toEqual(
    error('42501', 'permission denied for view halls'),
  );
});

test('database errors: a missing privilege is 403 for a user and 401 for an anonymous caller', async () => {
  const as = await signIn();
  expect((await host.rest('vault', { as })).status).toBe(403);
  expect((await host.rest('vault')).headers.get('www-authenticate')).toBe('Bearer');
  const foreign = JSON.stringify({ owner: randomUUID(), entry: 'x' });
  expect((await host.post('diaries', foreign, { as })).code).toBe('403 42501');
});

test('database errors: a deferred constraint that fails at commit fails the request', async () => {
  await host.sql`
      create table public.pages (book bigint references public.books deferrable initially deferred);
      notify pgrst, 'reload schema'`;
  await expect.poll(async () => (await host.rest('pages')).status).toBe(200);
  for (const accept of ['application/json', 'application/vnd.pgrst.object+json']) {
    const init = { prefer: 'return=representation', headers: { accept } };
    expect((await host.post('pages', '{"book":4242}', init)).code).toBe('409 23503');
  }
  expect(await host.sql('select 1 from public.pages')).toEqual([]);
});

const bare = (headers: Record<string, string>, path = 'publishers?select=id&limit=1') =>
  fetch(`${host.url}/rest/v1/${path}`, { headers });

test('callers: the gateway requires an API key, in the header or the URL', async () => {
  const none = await bare({});
  expect(none.status).toBe(401);
  expect(await none.json()).toEqual({
    message: 'No API key found in request',
    hint: 'No `apikey` request header or url param was found.',
  });
  const wrong = await bare({ apikey: 'x' });
  expect(wrong.status).toBe(401);
  expect(((await wrong.json()) as { message: string }).message).toBe('Invalid API key');
  const inUrl = await bare({}, `publishers?select=id&limit=1&apikey=${host.tokens.anonKey}`);
  expect(inUrl.status).toBe(200);
  // A user's token is not accepted as an API key.
  for (const sub of [{ sub: randomUUID() }, {}]) {
    const user = await host.tokens.sign({ role: 'authenticated', ...sub }, 60);
    expect((await bare({ apikey: user })).status).toBe(401);
  }
});

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const forge = (header: object, claims: object, secret: string | null) => {
  const text = `${base64(header)}.${base64(claims)}`;
  const signature =
    secret === null ? '' : createHmac('sha256', secret).update(text).digest('base64url');
  return `${text}.${signature}`;
};
const SECRET = 'a test secret with at least 32 characters';
const claims = { role: 'service_role', sub: randomUUID() };
const later = Math.floor(Date.now() / 1000) + 3600;

test.each([
  ['alg none', forge({ alg: 'none' }, claims, null), 'PGRST301'],
  [
    'another secret',
    forge({ alg: 'HS256' }, claims, 'another secret of 32 characters!'),
    'PGRST301',
  ],
  ['another algorithm named', forge({ alg: 'RS256' }, claims, SECRET), 'PGRST301'],
  ['a role of PostgreSQL’s', forge({ alg: 'HS256' }, { role: 'postgres' }, SECRET), 'PGRST301'],
  ['no role', forge({ alg: 'HS256' }, { sub: randomUUID() }, SECRET), 'PGRST301'],
  ['expired', forge({ alg: 'HS256' }, { ...claims, exp: 1 }, SECRET), 'PGRST303'],
  ['not yet valid', forge({ alg: 'HS256' }, { ...claims, nbf: later }, SECRET), 'PGRST301'],
  ['no token at all', 'nonsense', 'PGRST301'],
  ['three parts of nothing', '..', 'PGRST301'],
])('callers: this token is rejected: %s', async (_, token, code) => {
  const result = await host.rest('publishers', { as: token });
  expect({ status: result.status, code: result.json.code }).toEqual({ status: 401, code });
  expect(result.headers.get('www-authenticate')).toContain('invalid_token');
});

test('callers: a forged token is rejected even if the real one was just accepted', async () => {
  const token = await signIn();
  const as = (value: string) => host.rest('diaries', { as: value });
  expect((await as(token)).status).toBe(200);
  const [head, body, signature] = token.split('.');
  const claimsOf = JSON.parse(Buffer.from(String(body), 'base64url').toString()) as object;
  const other = base64({ ...claimsOf, sub: randomUUID() });
  expect((await as(`${head}.${other}.${signature}`)).status).toBe(401);
});

test('callers: a user sees only their own rows, the service key sees all rows', async () => {
  const [one, two] = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const db = host.library(await signIn());
      expect((await db.from('diaries').insert({ entry: name })).error).toBeNull();
      return db;
    }),
  );
  expect((await one?.from('diaries').select('entry'))?.data).toEqual([{ entry: 'one' }]);
  expect((await two?.from('diaries').select('entry'))?.data).toEqual([{ entry: 'two' }]);
  expect((await host.library().from('diaries').select('entry')).data).toEqual([]);
  const changed = await two
    ?.from('diaries')
    .update({ mood: 'sly' })
    .neq('entry', '')
    .select('entry');
  expect(changed?.data).toEqual([{ entry: 'two' }]);
  const service = host.library(undefined, host.tokens.serviceKey);
  expect((await service.from('diaries').select('entry').order('entry')).data).toEqual([
    { entry: 'one' },
    { entry: 'two' },
  ]);
});
