// Tests that malicious requests never cause a 5xx or return another user's row, and that the next request works.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { seeded, words } from '../../../../testing/seeded.ts';
import { startRestHost } from '../../../../testing/rest-fixture.ts';

/** A row of another user, which no response may contain. */
const SECRET = 'nobody-may-read-this';

const host = await startRestHost();
const mine = randomUUID();
await host.sql`insert into public.diaries (owner, entry) values (${mine}, ${'my own words'}), (${randomUUID()}, ${SECRET})`;
await host.sql('update public.vault set secret = $1', [SECRET]);
const token = await host.tokens.sign({ role: 'authenticated', sub: mine }, 3600);

/** Sends a request line without any encoding, unlike HTTP clients, and returns the whole response. */
function raw(line: string, headers = ''): Promise<string> {
  const socket = net.connect(Number(new URL(host.url).port), '127.0.0.1');
  socket.write(
    `${line}\r\nhost: 127.0.0.1\r\nconnection: close\r\napikey: ${host.tokens.anonKey}\r\n${headers}\r\n`,
  );
  return text(socket);
}

const statusOf = (result: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(result)?.[1]);

test.each([
  'GET /rest/v1/books?title=eq.%E0%A4%A HTTP/1.1',
  'GET /rest/v1/books?title=eq.% HTTP/1.1',
  'GET /rest/v1/books?%ZZ=eq.1 HTTP/1.1',
  'GET /rest/v1/%00 HTTP/1.1',
  'GET /rest/v1/%FF%FE HTTP/1.1',
  'GET /rest/v1/books?select=%00 HTTP/1.1',
  'GET /rest/v1/books?select="a%00b":id HTTP/1.1',
  'GET /rest/v1/books?select=id::%00 HTTP/1.1',
  'GET /rest/v1/books?notes->%00=eq.1 HTTP/1.1',
  'GET /rest/v1/books?title=eq.%ED%A0%80 HTTP/1.1',
  'GET /rest/v1/books?select="%ED%A0%80":id HTTP/1.1',
  'GET /rest/v1//books HTTP/1.1',
  'GET /rest/v1/../rest/v1/books/../../../etc/passwd HTTP/1.1',
  'GET /rest/v1/books?&&&=&=eq.1 HTTP/1.1',
  'GET http://[::1/rest/v1/books HTTP/1.1',
  'GET /rest/v1/books?title=eq.\u00e9 HTTP/1.1',
  'DELETE /rest/v1/books?id=eq.1;drop HTTP/1.1',
  'BREW /rest/v1/books HTTP/1.1',
])('malformed request line: %s', async (line) => {
  const status = statusOf(await raw(line));
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
});

test('malformed: a body that does not match its headers', async () => {
  const result = await raw(
    'POST /rest/v1/books HTTP/1.1',
    'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n4\r\n\xff\xfe{}\r\n0\r\n',
  );
  expect(statusOf(result)).toBe(400);
  const huge = 'ffff\r\n' + 'x'.repeat(0xffff) + '\r\n';
  const long = await raw(
    'POST /rest/v1/books HTTP/1.1',
    `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${huge.repeat(20)}0\r\n`,
  ).catch(() => 'HTTP/1.1 413');
  expect(statusOf(long)).toBe(413);
});

const REJECTED_BY_COMMAND = '400 PGRST100';
const codeOf = async (path: string, as?: string) =>
  (await host.rest(path, as === undefined ? {} : { as })).code;

test('too much: deeply nested logic trees, embeds, paths and bodies', async () => {
  for (const path of [
    `books?and=${'(and'.repeat(900)}(id.eq.1)${')'.repeat(900)}`,
    `books?select=${'authors(books('.repeat(200)}id${'))'.repeat(200)}`,
    `books?select=notes${'->a'.repeat(500)}`,
    `books?${'a.'.repeat(500)}id=eq.1`,
    `books?notes=cs.${'['.repeat(40)}${']'.repeat(40)}`,
  ])
    expect(await codeOf(path), path).toBe(REJECTED_BY_COMMAND);
  const nested = (depth: number): string =>
    depth === 0 ? 'id' : `${depth % 2 === 1 ? 'authors' : 'books'}(${nested(depth - 1)})`;
  const tooDeep = await host.rest(`authors?select=${nested(6)}`);
  expect(tooDeep).toMatchObject({
    status: 400,
    json: {
      code: 'PGRST100',
      message: 'Too many embedded resources in the select parameter',
      details: 'At most 30 resources can be embedded, at most 5 deep',
    },
  });
  expect((await host.rest(`books?select=${nested(5)}`, { as: token })).status).toBe(200);
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  expect((await host.post('books', `{"title":"x","notes":${deep}}`)).status).toBe(413);
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect((await host.post('rpc/keys_of', `{"a":${deep}}`)).status).toBe(413);
  const wide = `{"title":"${'[\\"'.repeat(1000)}","notes":${deep}}`;
  expect((await host.post('books', wide, { as: token })).status).toBe(400);
  expect(parse.mock.calls.filter(([text]) => text.length > 10_000)).toEqual([]);
});

test('too much: anonymous callers cannot embed a relation twice on a path or use more than two to-many relationships', async () => {
  const rejectedPaths = [
    'books?select=authors(books(id))',
    'publishers?select=books!books_publisher_id_fkey(publisher_id(id))',
    'authors?select=pupils:authors!mentor_id(authors!mentor_id(id))',
    'authors?select=books(publisher_id(books!books_publisher_id_fkey(copies(id))))',
    'publishers?select=books!books_publisher_id_fkey(authors(authors!mentor_id(id)))',
    'books?select=authors(books(authors(books(authors(id)))))',
  ];
  for (const way of rejectedPaths) {
    expect(await codeOf(way), way).toBe(REJECTED_BY_COMMAND);
    expect((await host.rest(way, { as: token })).status).toBe(200);
  }
  const allowed =
    'authors?select=mentor_id(name),pupils:authors(name),books(copies(shelves(label)))';
  expect((await host.rest(allowed)).status).toBe(200);
});

test('too much: for every caller, the rows of embeds are measured one by one before they fill the database’s memory', async () => {
  await host.sql`insert into public.publishers values (900, repeat('long name ', 4000), 'Acre');
       insert into public.books (title, publisher_id) select 'One of many', 900 from generate_series(1, 300)`;
  onTestFinished(async () => {
    await host.sql`delete from public.books where publisher_id = 900; delete from public.publishers where id = 900`;
  });
  const there = 'publisher_id!inner';
  const back = 'books!books_publisher_id_fkey';
  const repeated = Array.from({ length: 100 }, (_, index) => `column${index}:name`);
  const ways = {
    nested: `publishers?select=${back}(title,${there}(${back}(title,${there}(name,${back}(title)))))`,
    spread: `publishers?select=...${back}(title,${there}(${back}(title,${there}(name,...${back}(title,pages)))))`,
    'of one row': `books?limit=1&publisher_id=eq.900&select=${there}(${back}(${there}(${back}(${there}(name)))))`,
    'the same column again and again': `books?publisher_id=eq.900&select=...${there}(${repeated.join(',')})`,
  };
  for (const [way, path] of Object.entries(ways))
    expect(await codeOf(path, token), way).toBe('400 54000');
  // The peak memory of another process can be read only on Linux.
  if (process.platform === 'linux') {
    const backends = await host.sql<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database()',
    );
    for (const { pid } of backends) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1])).toBeLessThan(400_000);
    }
  }
});

test('too much: bodies of anonymous callers have a size limit and are parsed only after admission', async () => {
  const body = `{"title": "${'x'.repeat(70_000)}"}`;
  expect((await host.post('books', body)).status).toBe(413);
  let release = () => {};
  const busy = new Promise<void>((resolve) => (release = resolve));
  const taken = Array.from({ length: 64 }, () =>
    host.database.quotas.run({ role: 'anon' }, () => busy, '127.0.0.1').catch(() => undefined),
  );
  const { code } = await host.post('books', '{');
  release();
  await Promise.all(taken);
  expect(code).toBe('504 PGRST003');
});

test('too much: a slow read of a table times out earlier than a function, and earlier for anonymous callers', async () => {
  await host.sql`create view public.slow as select pg_sleep(2)::text as slept; grant select on public.slow to anon, authenticated;
       notify pgrst, 'reload schema'`;
  onTestFinished(async () => void (await host.sql('drop view public.slow')));
  await expect.poll(async () => (await host.rest('slow?select=slept')).code).toBe('504 57014');
  expect((await host.rest('slow?select=slept', { as: token })).status).toBe(200);
  expect((await host.post('rpc/nap', '{"seconds":2}')).status).toBeLessThan(300);
});

test('too much: thousands of filters, values and columns', async () => {
  const filters = Array.from({ length: 1200 }, (_, i) => `id=neq.${i + 10}`).join('&');
  const as = await host.tokens.sign({ role: 'authenticated', sub: randomUUID() }, 60);
  expect((await host.rest(`books?select=id&${filters}`, { as })).json).toHaveLength(5);
  expect(await codeOf(`books?select=id&${filters}`)).toBe('400 PGRST100');
  const many = Array.from({ length: 3000 }, (_, i) => i).join(',');
  expect((await host.rest(`books?select=id&id=in.(${many})`)).json).toHaveLength(5);
  expect((await host.rest(`books?select=${'id,'.repeat(2000)}id`)).status).toBe(400);
  const embeds = (count: number) => `books?select=${'...publisher_id(name),'.repeat(count)}id`;
  expect(await codeOf(embeds(31))).toBe(REJECTED_BY_COMMAND);
  expect((await host.rest(embeds(30))).status).toBe(200);
  expect((await host.rest(`books?title=eq.${'x'.repeat(100_000)}`)).status).toBe(431);
  const rows = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ name: `bulk${i}` })));
  // The statement needs a user's timeout, which is longer than that of anonymous callers, because the test machine may be busy.
  expect((await host.post('counters', rows, { as: token })).status).toBe(201);
  const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]));
  const rejected = await host.post('counters', JSON.stringify(keys), { as: token });
  expect(rejected.code).toBe('400 PGRST204');
});

test('too much: a response that would not fit into memory', async () => {
  await host.sql`insert into public.counters select 'long' || i || repeat('x', 50000) from generate_series(1, 660) i`;
  // The statement needs a user's timeout, which is longer than that of anonymous callers, because the test machine may be busy.
  expect(await codeOf('counters?name=like.long*', token)).toBe('400 54000');
  // Responses to anonymous callers may be less large than those to users.
  expect(await codeOf('counters?name=like.long*&limit=50')).toBe('400 54000');
  expect(await codeOf('counters?name=like.long*&limit=50', token)).toBe('200 undefined');
  const shown = { prefer: 'return=representation', as: token };
  const changed = await host.patch('counters?name=like.long*', '{"touched":true}', shown);
  expect(changed.code).toBe('400 54000');
  expect(await host.sql('select 1 from public.counters where touched')).toEqual([]);
  await host.sql(`delete from public.counters where name like 'long%'`);
});

test('too much: huge numbers', async () => {
  const nines = '9'.repeat(400);
  expect((await host.rest(`books?limit=${nines}`)).status).toBe(200);
  expect((await host.rest(`books?offset=${nines}`)).json).toEqual([]);
  expect((await host.rest(`books?id=eq.${nines}`)).status).toBe(400);
  expect((await host.rest(`books?select=notes->${nines}`)).status).toBeLessThan(500);
  expect((await host.rest('books', { headers: { range: `0-${nines}` } })).status).toBe(200);
  expect((await host.post('counters', `{"name":"n","value":${nines}}`)).status).toBe(400);
});

test('too much: names with a special meaning', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    for (const path of [name, `rpc/${name}`]) expect((await host.rest(path)).status).toBe(404);
    for (const query of [
      `${name}=eq.1`,
      `id=${name}.1`,
      `select=id::${name}`,
      `select=${name}(id)`,
    ])
      expect((await host.rest(`books?${query}`)).status).toBe(400);
    expect((await host.post('counters', `{"name":"p","${name}":1}`)).status).toBe(400);
  }
});

test('too much: SQL in every parameter that accepts text', async () => {
  const evil = `x"; drop table public.books; --`;
  const quoted = `"${evil.replaceAll('"', '\\"')}"`;
  const queries = {
    select: [`${quoted}:id`, quoted, `id::${evil}`, `notes->>${quoted}`],
    title: [`eq.${evil}`, `in.(${quoted})`],
    order: [quoted],
    search: [`fts(${evil}).x`],
    columns: [quoted],
  };
  for (const [name, values] of Object.entries(queries))
    for (const value of values)
      expect((await host.rest(`books?${name}=${encodeURIComponent(value)}`)).status).toBeLessThan(
        500,
      );
  for (const path of [evil, `rpc/${evil}`, 'rpc/add?a=1); drop table public.books; --'])
    expect((await host.rest(encodeURI(path))).status).toBeLessThan(500);
  const alias = await host.rest(`books?select=${encodeURIComponent(`${quoted}:id`)}&id=eq.1`);
  expect(alias.json).toEqual([{ [evil]: 1 }]);
  expect((await host.rest('books?select=id')).json).toHaveLength(5);
});

const SEED = Number(process.env['FUZZ_SEED'] ?? 20260101);
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 1500);

test(`fuzz: ${REQUESTS} requests from seed ${SEED}`, async () => {
  const { upTo, pick, chance } = seeded(SEED);
  const tables = words(`
    books authors diaries counters authorships blurbs copies shelves short_cards archived vault
    publishers nope rpc/add rpc/books_over rpc/pairs rpc/joined rpc/keys_of rpc/complain
  `);
  const columns = [
    ...words(`
      id title name entry owner mood notes facts tags sold search genre pages secret value *
      initials nope a b words min_pages n
    `),
    '"odd name, (really)"',
  ];
  const embeds = words(`
    authors books publishers publisher_id diaries copies shelves blurbs authorships vault
    mentor_id
  `);
  const operators = words(`
    eq neq gt gte lt lte like ilike match imatch in is isdistinct cs cd ov sl sr nxr nxl adj fts
    plfts phfts(english) wfts not.eq not.in like(any) eq(all) nope
  `);
  const values = [
    ...words(`
      1 0 -1 x null true (1,2) ("a","b") {1,2} {a,"b} [1,5) {"a":1} 2020-01-01 9e999 * % %00 ' "
      (( )) nan %ED%A0%80
    `),
    '',
    '\\',
    '\u{1F415}',
    randomUUID(),
    SECRET.slice(0, 6) + '*',
  ];
  const path = () =>
    pick(columns) + (chance(0.2) ? pick(['->a', '->>b', '->0', '->-1->>c', '->', '->>']) : '');
  const filterText = () => `${pick(operators)}.${pick(values)}`;
  const select = (depth: number): string =>
    Array.from({ length: 1 + upTo(3) }, () =>
      depth > 0 && chance(0.4)
        ? `${chance(0.2) ? '...' : ''}${chance(0.2) ? 'al:' : ''}${pick(embeds)}${pick(['', '', '!inner', '!left', '!publisher_id', '!nope'])}(${select(depth - 1)})`
        : `${chance(0.1) ? 'al:' : ''}${path()}${chance(0.1) ? pick(['::text', '::int', '::nope', '::jsonb']) : ''}`,
    ).join(',');
  const tree = (depth: number): string =>
    `(${Array.from({ length: 1 + upTo(3) }, () =>
      depth > 0 && chance(0.3)
        ? `${pick(['and', 'or', 'not.and'])}${tree(depth - 1)}`
        : `${path()}.${filterText()}`,
    ).join(',')})`;
  const parameter = () =>
    pick([
      () => `select=${select(2)}`,
      () => `${path()}=${filterText()}`,
      () => `${pick(embeds)}.${path()}=${filterText()}`,
      () => `${pick(['or', 'and', 'not.or', 'books.or'])}=${tree(2)}`,
      () => `order=${path()}${pick(['', '.desc', '.asc.nullslast', '.nullsfirst', '.up'])}`,
      () => `order=${pick(embeds)}(${path()})`,
      () =>
        `${pick(['', 'books.'])}${pick(['limit', 'offset'])}=${pick(['0', '1', '3', '-1', 'x', '99999999999999999999'])}`,
      () => `on_conflict=${pick(columns)}`,
      () => `columns=${pick(columns)},${pick(columns)}`,
      () => `${pick(columns)}=${pick(values)}`,
    ])();
  /** Truncates a text, or deletes, repeats or replaces some of its characters. */
  const damage = (text: string) =>
    chance(0.15)
      ? text.slice(0, upTo(text.length)) +
        pick(['', '(', ')', ',', '.', '"', '!', ':', '%', '\\']) +
        text.slice(upTo(text.length))
      : text;
  const bodies = [
    ...words(`
      {} [] [{}] null {"a":1} {"a":1,"b":"x"} {"name":"f","value":1} [{"name":"g"},{"value":2}]
      {"entry":"mine"} {"n":3} {"min_pages":"x"} {"words":["a",null]} {"state":"XX000"}
      {"id":{"a":[1]}} { "x" {"facts":1e999,"name":"z"}
    `),
    '{"title":"\\ud800"}',
    '{"title":"\\u0000"}',
  ];
  const prefers = words(`
    return=representation return=headers-only count=exact count=planned count=estimated
    resolution=merge-duplicates resolution=ignore-duplicates missing=default handling=strict
    max-affected=1 nonsense
  `);
  const accepts = words(`
    application/json application/vnd.pgrst.object+json text/csv
    application/vnd.pgrst.array+json;nulls=stripped */* x/y
  `);

  const failures: string[] = [];
  const statuses = new Map<number, number>();
  async function one(): Promise<void> {
    const method = pick(words('GET GET GET GET HEAD POST POST PATCH DELETE PUT'));
    const query = damage(Array.from({ length: upTo(5) }, parameter).join('&'));
    const target = `${pick(tables)}?${query}`;
    const writes = method === 'POST' || method === 'PATCH' || method === 'PUT';
    const init = {
      method,
      headers: {
        ...(chance(0.7) ? { authorization: `Bearer ${token}` } : {}),
        accept: pick(accepts),
        prefer: `${pick(prefers)}, ${pick(prefers)}`,
        ...(chance(0.1) ? { range: pick(['0-1', '5-', '3-1', 'x']) } : {}),
      },
      ...(writes ? { body: damage(pick(bodies)) } : {}),
    };
    const { status, text, json } = await host.rest(target, init);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const raisedHere = target.startsWith('rpc/complain') && json?.code === 'XX000';
    if ((status >= 500 && !raisedHere) || text.includes(SECRET))
      failures.push(`${method} ${target} ${JSON.stringify(init)} → ${status} ${text}`);
    const shape = Object.keys(json ?? {}).join();
    if (status >= 400 && method !== 'HEAD' && shape !== 'code,message,details,hint')
      failures.push(`${method} ${target} → ${status} is not shaped like an error: ${text}`);
  }
  for (let sent = 0; sent < REQUESTS; sent += 8) await Promise.all(Array.from({ length: 8 }, one));

  expect(failures).toEqual([]);
  // Enough random requests get past the parser: some succeed, and each type of error occurs.
  expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 50);
  expect([...statuses.keys()]).toEqual(
    expect.arrayContaining([200, 201, 204, 206, 400, 401, 404, 406]),
  );
  expect(await host.sql('select from public.diaries where entry = $1', [SECRET])).toHaveLength(1);
});

test.each([
  ['books?title=match.^(a%2B)%2B$', '400 PGRST100'],
  ['books?id=eq.1&or=(id.eq.1,title.not.imatch(any).{x,y})', '400 PGRST100'],
  ['books?search=plfts.quiet', '400 PGRST100'],
  ['authors?select=id,books(id)&books.title=match.x', '400 PGRST100'],
  // A request with two embeds of the same name is rejected.
  ['authors?select=id,x:books(id),x:books(title)', '400 42712'],
])(
  'costly operators of anonymous callers and duplicate names are rejected: %s',
  async (path, code) => {
    expect(await codeOf(path)).toBe(code);
  },
);

test.each([
  ['PATCH', 'books?id=gt.0&limit=1', {}, 'PGRST114'],
  ['DELETE', 'books?id=gt.0&offset=1', {}, 'PGRST114'],
  // PostgREST ignores the Range header of writes.
  ['PATCH', 'books?id=gt.0', { range: '0-0', 'range-unit': 'items' }, 'PGRST124'],
])(
  'a limit that would hide rows written by %s %s is rejected',
  async (method, path, headers: object, code) => {
    const before = await host.sql('select * from public.books order by id');
    const rejected = await host.rest(path, {
      method,
      ...(method === 'PATCH' && { body: '{"pages":1}' }),
      headers: { prefer: 'return=representation, max-affected=1, handling=strict', ...headers },
    });
    expect(rejected).toMatchObject({ status: 400, json: { code } });
    expect(await host.sql('select * from public.books order by id')).toEqual(before);
  },
);
