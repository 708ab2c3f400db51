// Tests filters, logic trees, order, pages and counts. Each result is compared with that of hand-written SQL.
import { expect, test } from 'vitest';
import { startRestHost } from '../../../../testing/rest-fixture.ts';

const host = await startRestHost();
// The service key is used, because anonymous callers must not use all operators.
const db = host.library(host.tokens.serviceKey);

/** Each case: a table, a query string, and the SQL condition that selects the same IDs. */
const CASES: [table: string, query: string, where: string][] = [
  ['books', 'id=eq.2', 'id = 2'],
  ['books', 'id=neq.2', 'id <> 2'],
  ['books', 'pages=gt.210', 'pages > 210'],
  ['books', 'pages=gte.210&pages=lte.320', 'pages between 210 and 320'],
  ['books', 'pages=lt.100', 'pages < 100'],
  ['books', 'genre=eq.novel', `genre = 'novel'`],
  ['books', 'genre=in.(novel,poetry)', `genre in ('novel', 'poetry')`],
  ['books', 'genre=not.in.(novel,poetry)', `genre not in ('novel', 'poetry')`],
  ['books', 'id=in.()', 'false'],
  ['books', 'title=in.("Barking, Softly","Bones (of the Earth)")', 'id in (2, 3)'],
  ['authors', 'name=in.("Dora \\"Quote\\" Katz",x)', 'id = 4'],
  ['books', 'title=like.*Dog*', `title like '%Dog%'`],
  ['books', 'title=ilike.the*', `title ilike 'the%'`],
  ['books', 'title=like(any).{The*,Run*}', `title like any ('{The%,Run%}')`],
  ['books', 'title=ilike(all).{*a*,*k*}', `title ilike '%a%' and title ilike '%k%'`],
  ['books', 'title=match.^(The|A)', `title ~ '^(The|A)'`],
  ['books', 'title=imatch.dogs$', `title ~* 'dogs$'`],
  ['books', 'id=eq(any).{1,3}', 'id in (1, 3)'],
  ['books', 'id=lt(all).{3,5}', 'id < 3'],
  ['books', 'price=is.null', 'price is null'],
  ['books', 'price=not.is.null', 'price is not null'],
  ['books', 'price=is.not_null', 'price is not null'],
  ['books', 'in_print=is.true', 'in_print'],
  ['books', 'in_print=is.FALSE', 'in_print = false'],
  ['books', 'in_print=is.unknown', 'in_print is null'],
  ['books', 'in_print=not.is.true', 'in_print is not true'],
  ['books', 'price=isdistinct.19', 'price is distinct from 19'],
  ['books', 'price=not.isdistinct.19', 'price is not distinct from 19'],
  ['authors', 'tags=cs.{poet}', `tags @> '{poet}'`],
  ['authors', 'tags=cd.{poet,old,new}', `tags <@ '{poet,old,new}'`],
  ['authors', 'tags=ov.{new,old}', `tags && '{new,old}'`],
  ['authors', 'tags=cs.{"with space"}', 'id = 4'],
  ['authors', 'facts=cs.{"n":7}', 'id = 3'],
  ['authors', 'facts->>prize=eq.silver', 'id = 1'],
  ['authors', 'facts->pets->0->>kind=eq.dog', 'id = 1'],
  ['authors', 'facts->n=gt.5', `facts -> 'n' > '5'`],
  ['authors', 'facts->>n=in.(7,40)', 'id in (2, 3)'],
  ['authors', 'facts->pets->-1->age=eq.3', 'id = 1'],
  ['books', 'sold=sl.[25,50)', `sold << '[25,50)'`],
  ['books', 'sold=sr.[2,9)', `sold >> '[2,9)'`],
  ['books', 'sold=nxr.[1,20)', `sold &< '[1,20)'`],
  ['books', 'sold=nxl.[5,20)', `sold &> '[5,20)'`],
  ['books', 'sold=adj.[20,30)', `sold -|- '[20,30)'`],
  ['books', 'sold=cs.[5,6)', 'id = 1'],
  ['books', 'sold=cd.[0,25)', `sold <@ '[0,25)'`],
  ['books', 'sold=ov.[5,12)', `sold && '[5,12)'`],
  ['books', 'search=fts.dog', `search @@ to_tsquery('dog')`],
  ['books', 'search=fts(english).running', `search @@ to_tsquery('english', 'running')`],
  ['books', 'search=plfts.quiet parks', `search @@ plainto_tsquery('quiet parks')`],
  [
    'books',
    'search=phfts(english).quiet park',
    `search @@ phraseto_tsquery('english', 'quiet park')`,
  ],
  ['books', 'search=wfts.dog or cat', `search @@ websearch_to_tsquery('dog or cat')`],
  ['books', 'search=not.fts.dog', `not search @@ to_tsquery('dog')`],
  [
    'books',
    'title=fts(simple).dogs',
    `to_tsvector('simple', title) @@ to_tsquery('simple', 'dogs')`,
  ],
  ['books', 'or=(id.eq.1,id.eq.3)', 'id in (1, 3)'],
  ['books', 'and=(id.gt.1,id.lt.4)', 'id in (2, 3)'],
  ['books', 'not.or=(id.eq.1,id.eq.3)', 'id not in (1, 3)'],
  ['books', 'not.and=(id.gt.1,id.lt.4)', 'id not in (2, 3)'],
  ['books', 'or=(id.eq.1,and(genre.eq.novel,pages.lt.300))', 'id in (1, 4)'],
  ['books', 'or=(id.eq.1,not.and(genre.eq.novel,id.gt.0))', 'id in (1, 2, 3)'],
  ['books', 'or=(pages.not.gt.100,title.like.*Cat)', 'id in (2, 5)'],
  ['books', 'or=(title.eq."Barking, Softly",id.in.(4,5))', 'id in (2, 4, 5)'],
  ['authors', 'or=(tags.cs.{new,"with space"},facts->>n.eq.7)', 'id in (3, 4)'],
  ['books', 'or=( id.eq.1 , id.eq.2 )', 'id in (1, 2)'],
  ['books', 'title=eq.A 100%25 Cat', 'id = 5'],
  ['books', '"odd name, (really)"=eq.x', 'id = 1'],
  ['books', 'created_at=gte.2026-01-01&created_at=lt.2026-02-01T00:00:00%2B02:00', 'true'],
  ['authors', 'born=gt.1960-01-01', `born > '1960-01-01'`],
];

test.each(CASES)('filters select the same rows as SQL: %s?%s', async (table, query, where) => {
  const { status, json } = await host.rest(`${table}?select=id&order=id&${query}`, {
    as: host.tokens.serviceKey,
  });
  const expected = await host.sql(`select id::int from public.${table} where ${where} order by id`);
  expect({ status, json }).toEqual({ status: 200, json: expected });
});

test('filters select the same rows as SQL: the official client’s filter methods', async () => {
  const ids = async (builder: PromiseLike<{ data: { id: number }[] | null; error: unknown }>) => {
    const { data, error } = await builder;
    expect(error).toBeNull();
    return data?.map(({ id }) => id);
  };
  const books = () => db.from('books').select('id').order('id');
  expect(await ids(books().match({ genre: 'novel', in_print: true }))).toEqual([1, 4]);
  const search = (query: string, options: object) => books().textSearch('search', query, options);
  expect(await ids(search('quiet & park', { config: 'english' }))).toEqual([1]);
  expect(await ids(search('quiet park', { type: 'websearch' }))).toEqual([1]);
  expect(await ids(books().filter('title', 'in', '("Running Dogs")'))).toEqual([4]);
  expect(await ids(books().not('genre', 'in', '(novel)'))).toEqual([2, 3]);
  expect(await ids(books().likeAnyOf('title', ['%Dogs', 'The%']))).toEqual([1, 4]);
  expect(await ids(books().rangeAdjacent('sold', '[20,30)'))).toEqual([2, 3]);
  expect(await ids(books().or('id.eq.5,and(pages.gt.100,price.is.null)'))).toEqual([3, 5]);
  const authors = () => db.from('authors').select('id').order('id');
  expect(await ids(authors().contains('tags', ['poet']).overlaps('tags', ['old']))).toEqual([1]);
  expect(await ids(authors().contains('facts', { n: 40 }))).toEqual([2]);
});

test.each([
  ['pages.desc', 'pages desc'],
  ['pages.desc.nullslast,id', 'pages desc nulls last, id'],
  ['pages.nullsfirst', 'pages nulls first'],
  ['genre.asc,title.desc', 'genre, title desc'],
  ['price.asc.nullsfirst, id.desc', 'price nulls first, id desc'],
])('order: order=%s', async (order, sql) => {
  const { json } = await host.rest(`books?select=id&order=${order}`);
  expect(json).toEqual(await host.sql(`select id::int from public.books order by ${sql}`));
});

test('order: by a JSON path and by a computed column', async () => {
  const { json } = await host.rest('authors?select=id&order=facts->n.desc.nullslast');
  expect(json).toEqual([{ id: 2 }, { id: 3 }, { id: 1 }, { id: 4 }]);
  const other = await host.rest('authors?select=id&order=initials.desc&limit=1');
  expect(other.json).toEqual([{ id: 4 }]);
});

const page = async (path: string, headers: Record<string, string> = {}) => {
  const result = await host.rest(path, { headers });
  return [result.status, result.headers.get('content-range'), result.json?.length ?? result.json];
};

test('pages and counts: limit and offset, in the URL and in the Range header', async () => {
  expect(await page('books?select=id&limit=2&offset=1')).toEqual([200, '1-2/*', 2]);
  expect(await page('books?select=id', { range: '1-2' })).toEqual([200, '1-2/*', 2]);
  const both = { range: '0-2', 'range-unit': 'items' };
  expect(await page('books?select=id&offset=1', both)).toEqual([200, '1-2/*', 2]);
  expect(await page('books?select=id', { range: '3-' })).toEqual([200, '3-4/*', 2]);
  expect(await page('books?select=id&limit=0')).toEqual([200, '*/*', 0]);
  expect(await page('books?select=id&offset=99')).toEqual([200, '*/*', 0]);
  expect(await page('books?select=id&limit=abc')).toEqual([200, '0-4/*', 5]);
  const { data } = await db.from('books').select('id').order('id').range(1, 2);
  expect(data).toEqual([{ id: 2 }, { id: 3 }]);
});

test('pages and counts: exact counts return 206 for a part and 416 beyond the end', async () => {
  const exact = { prefer: 'count=exact' };
  expect(await page('books?select=id&limit=2', exact)).toEqual([206, '0-1/5', 2]);
  expect(await page('books?select=id', exact)).toEqual([200, '0-4/5', 5]);
  expect(await page('books?select=id&id=gt.3&limit=1', exact)).toEqual([206, '0-0/2', 1]);
  const beyond = await host.rest('books?offset=9', { headers: exact });
  expect(beyond.status).toBe(416);
  expect(beyond.json).toEqual({
    code: 'PGRST103',
    message: 'Requested range not satisfiable',
    details: 'An offset of 9 was requested, but there are only 5 rows.',
    hint: null,
  });
});

test('pages and counts: planned and estimated counts', async () => {
  await host.sql('analyze public.books');
  const planned = await db.from('books').select('id', { count: 'planned' }).gt('id', 0).limit(1);
  expect(planned.count).toBeGreaterThan(0);
  const estimated = await db
    .from('books')
    .select('odd:"odd name, (really)", notes->a', { count: 'estimated' })
    .gt('id', 2)
    .limit(1);
  expect(estimated.error).toBeNull();
  expect(estimated.count).toBe(3);
});

test('pages and counts: no type of count reveals rows that the caller cannot see', async () => {
  const [ann, bob] = [await host.user('Ann'), await host.user('Bob')];
  await host.sql`insert into public.diaries (owner, entry) select ${ann.id}, 'day ' || n from generate_series(1, 3000) n`;
  await host.sql('analyze public.diaries');
  for (const count of ['planned', 'estimated', 'exact'] as const) {
    const send = (token: string) =>
      host.library(token).from('diaries').select('id', { count, head: true }).eq('owner', ann.id);
    expect([count, (await send(bob.token)).count]).toEqual([count, 0]);
    expect((await send(ann.token)).count).toBeGreaterThan(1000);
  }
});

test('pages and counts: HEAD counts without returning rows', async () => {
  const { data, count, status } = await db
    .from('books')
    .select('*', { count: 'exact', head: true })
    .eq('genre', 'novel');
  expect({ data, count, status }).toEqual({ data: null, count: 3, status: 200 });
});

test('pages and counts: a response has at most a thousand rows', async () => {
  await host.sql(`insert into public.counters select 'c' || i from generate_series(1, 1500) i`);
  const exact = { prefer: 'count=exact' };
  expect(await page('counters?select=name', exact)).toEqual([206, '0-999/1502', 1000]);
  expect(await page('counters?select=name&limit=1200')).toEqual([200, '0-999/*', 1000]);
  expect(await page('rpc/numbers?upto=5000')).toEqual([200, '0-999/*', 1000]);
  const estimated = await db.from('counters').select('name', { count: 'estimated' }).limit(1);
  expect(estimated.count).toBeGreaterThan(1000);
  await host.sql(`delete from public.counters where name like 'c%'`);
});

test('formats: single and maybeSingle', async () => {
  const titles = () => db.from('books').select('title');
  const book = { title: 'The Quiet Park' };
  expect((await titles().eq('id', 1).single()).data).toEqual(book);
  expect(await titles().eq('id', 99).single()).toMatchObject({
    status: 406,
    error: {
      code: 'PGRST116',
      message: 'Cannot coerce the result to a single JSON object',
      details: 'The result contains 0 rows',
      hint: null,
    },
  });
  expect((await titles().single()).error?.details).toBe('The result contains 5 rows');
  const maybe = await titles().eq('id', 99).maybeSingle();
  expect(maybe).toMatchObject({ data: null, error: null });
  expect((await titles().eq('id', 1).maybeSingle()).data).toEqual(book);
});

test('formats: stripped nulls', async () => {
  const { data } = await db
    .from('books')
    .select('id, price, publisher_id(name, city)')
    .eq('id', 3)
    .stripNulls();
  expect(data).toEqual([{ id: 3, publisher_id: { name: 'Fig' } }]);
  const result = await host.rest('books?select=id,price&id=eq.3', {
    headers: { accept: 'application/vnd.pgrst.object+json;nulls=stripped' },
  });
  expect(result.text).toBe('{"id":3}');
  expect(result.headers.get('content-type')).toBe(
    'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
  );
});

test('formats: CSV', async () => {
  const { data } = await db.from('books').select('id, title, price').lt('id', 4).order('id').csv();
  expect(data).toBe(
    'id,title,price\n1,"The Quiet Park",49.90\n2,"Barking, Softly",19.00\n3,"Bones (of the Earth)",',
  );
  const none = await db.from('publishers').select().eq('id', 99).csv();
  expect(none.data).toBe('id,name,city');
});

test('formats: an unsupported format is rejected', async () => {
  expect((await host.rest('books', { headers: { accept: 'image/png' } })).code).toBe(
    '406 PGRST107',
  );
  const either = await host.rest('publishers?id=eq.1', {
    headers: { accept: 'image/png, text/csv;q=0.5' },
  });
  expect(either.text).toBe('id,name,city\n1,Cedar,Haifa');
});
