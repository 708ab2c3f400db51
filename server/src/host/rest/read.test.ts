// Tests reads with the official client: columns, embeds, filters, order, pages and counts.
import { expect, test } from 'vitest';
import { startRestHost } from '../../../../testing/rest-fixture.ts';

const host = await startRestHost();
const db = host.library();

const get = async (path: string) => {
  const { status, json } = await host.rest(path);
  expect({ status, json }).toMatchObject({ status: 200 });
  return json;
};

test('columns: all columns are returned as PostgreSQL writes them in JSON', async () => {
  const { data } = await db.from('books').select().order('id');
  const [{ all } = { all: null }] = await host.sql<{ all: unknown }>(
    'select json_agg(b order by id) as all from books b',
  );
  expect(data).toEqual(all);
});

test('columns: aliases, casts, JSON paths and quoted names', async () => {
  const { data } = await db
    .from('books')
    .select('name:title, price::text, deep:notes->a->b->1, notes->a->>b, "odd name, (really)"')
    .eq('id', 1);
  expect(data).toEqual([
    { name: 'The Quiet Park', price: '49.90', deep: 2, b: '[1, 2]', 'odd name, (really)': 'x' },
  ]);
});

test('columns: computed columns, quoted aliases with any characters, no columns, and paths into values that are not JSON', async () => {
  expect(await get('authors?select=name,initials&initials=eq.AS')).toEqual([
    { name: 'Ada Stone', initials: 'AS' },
  ]);
  expect(await get('books?select=" a, (b):c ":title,"d":"odd name, (really)"&id=eq.1')).toEqual([
    { ' a, (b):c ': 'The Quiet Park', d: 'x' },
  ]);
  expect(await get('authors?select=&limit=1')).toEqual([{}]);
  expect(await get('authors?select=first:tags->0&id=eq.1')).toEqual([{ first: 'poet' }]);
});

test('embedding: to one, by table and key, by column, and by constraint', async () => {
  expect(
    await get(
      'books?select=p:publishers!books_publisher_id_fkey(name),o:publishers!original_publisher_id(name),publisher_id(name),books_original_fkey(name)&id=eq.1',
    ),
  ).toEqual([
    {
      p: { name: 'Cedar' },
      o: { name: 'Fig' },
      publisher_id: { name: 'Cedar' },
      books_original_fkey: { name: 'Fig' },
    },
  ]);
});

test('embedding: to many, many to many, one to one and nested', async () => {
  const { data } = await db
    .from('authors')
    .select('name, books(title, blurbs(words), copies(id, shelves(label)))')
    .eq('id', 1)
    .order('id', { referencedTable: 'books' });
  expect(data).toEqual([
    {
      name: 'Ada Stone',
      books: [
        {
          title: 'The Quiet Park',
          blurbs: { words: 'Hushed.' },
          copies: [
            { id: 1, shelves: { label: 'E1' } },
            { id: 2, shelves: { label: 'W1' } },
          ],
        },
        { title: 'Barking, Softly', blurbs: null, copies: [{ id: 3, shelves: { label: 'E1' } }] },
      ],
    },
  ]);
});

test('embedding: in a table that references itself, the table’s name embeds the children, and the column’s name the parent', async () => {
  const pupils = [{ name: 'Dora "Quote" Katz' }];
  const { data } = await db
    .from('authors')
    .select('name, a:authors(name), b:authors!mentor_id(name), mentor:mentor_id(name)')
    .eq('id', 2);
  expect(data).toEqual([{ name: 'Ben Hill', a: pupils, b: pupils, mentor: { name: 'Ada Stone' } }]);
});

test('embedding: `count` is the number of embedded rows, or of all rows', async () => {
  const { data } = await db
    .from('publishers')
    .select('id, books!books_publisher_id_fkey(count)')
    .gt('books.pages', 400)
    .order('id');
  expect(data).toEqual([
    { id: 1, books: [{ count: 0 }] },
    { id: 2, books: [{ count: 1 }] },
    { id: 3, books: [{ count: 0 }] },
  ]);
  expect((await db.from('books').select('count').neq('id', 5)).data).toEqual([{ count: 4 }]);
});

test('embedding: filters, order and pages apply to the embed and keep all parents', async () => {
  const { data } = await db
    .from('publishers')
    .select('id, books!books_publisher_id_fkey(title)')
    .gt('books.pages', 100)
    .order('pages', { referencedTable: 'books', ascending: false })
    .limit(1, { referencedTable: 'books' })
    .order('id');
  expect(data).toEqual([
    { id: 1, books: [{ title: 'The Quiet Park' }] },
    { id: 2, books: [{ title: 'Bones (of the Earth)' }] },
    { id: 3, books: [] },
  ]);
});

test('embedding: !inner removes parents without a row, also from the count', async () => {
  const { data, count } = await db
    .from('publishers')
    .select('id, books!books_publisher_id_fkey!inner(title)', { count: 'exact' })
    .gt('books.pages', 400);
  expect(data).toEqual([{ id: 2, books: [{ title: 'Bones (of the Earth)' }] }]);
  expect(count).toBe(1);
});

test('embedding: a null test of an embed filters its parents, also in logic trees', async () => {
  expect(await get('books?select=id,blurbs()&blurbs=is.null&order=id')).toEqual([
    { id: 2 },
    { id: 4 },
    { id: 5 },
  ]);
  expect(
    await get('books?select=id,b:blurbs(),c:copies()&or=(b.not.is.null,c.not.is.null)&order=id'),
  ).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
});

test('embedding: spread columns of a to-one embed become the parent’s, those of a to-many embed become arrays', async () => {
  expect(
    await get(
      'books?select=title,...publisher_id(publisher:name,city),...authors(author:name)&id=in.(1,4)&order=id&authors.order=id',
    ),
  ).toEqual([
    { title: 'The Quiet Park', publisher: 'Cedar', city: 'Haifa', author: ['Ada Stone'] },
    { title: 'Running Dogs', publisher: null, city: null, author: ['Dora "Quote" Katz'] },
  ]);
});

test('embedding: order by a column of a to-one embed, which need not be selected', async () => {
  expect(
    await get('books?select=id,p:publisher_id(id)&order=p(city).desc.nullslast,id&id=neq.4'),
  ).toEqual([
    { id: 5, p: { id: 3 } },
    { id: 1, p: { id: 1 } },
    { id: 2, p: { id: 1 } },
    { id: 3, p: { id: 2 } },
  ]);
});

test('embedding: views have the relationships of their columns, also through views of views and other schemas', async () => {
  expect(await get('short_cards?select=heading,publishers(name),copies(id)&card_id=eq.1')).toEqual([
    { heading: 'The Quiet Park', publishers: { name: 'Cedar' }, copies: [{ id: 1 }, { id: 2 }] },
  ]);
  expect(await get('archived?select=room,books(title),book_cards(heading)&id=eq.2')).toEqual([
    { room: 'attic', books: { title: 'Running Dogs' }, book_cards: { heading: 'Running Dogs' } },
  ]);
});

test('embedding: names that collide with aliases of the statement work', async () => {
  expect(
    await get('books?select=p:title,r:publisher_id(r:name,e2:id),t1:id&order=id&limit=1'),
  ).toEqual([{ p: 'The Quiet Park', r: { r: 'Cedar', e2: 1 }, t1: 1 }]);
});
