// Tests that the protected names of docs/glossary.md exist in their places: the database, the routes, the app's storage and the
// texts.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createFixtures } from './fixtures.ts';

const { admin, park, service } = await createFixtures();

/** Returns the source files below a folder, without tests. */
const sources = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
const matches = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, name = '']) => name);
const columnsOf = (table: string) =>
  admin.column(
    `select column_name::text from information_schema.columns where table_schema = 'public' and table_name = $1`,
    [table],
  );

/** For each place in the table, a function that returns the existing names. */
const NAMES_IN: Record<string, () => string[] | Promise<string[]>> = {
  RPC: () =>
    admin.column(`select proname || '(' || coalesce(array_to_string(proargnames[1:pronargs], ', '), '') || ')'
      from pg_proc where pronamespace = 'public'::regnamespace`),
  'edge function': () => readdirSync('supabase/functions'),
  bucket: () => admin.column('select id from storage.buckets'),
  'enum value': () =>
    admin.column(`select e.enumlabel::text from pg_enum e join pg_type t on t.oid = e.enumtypid
      where t.typnamespace = 'public'::regnamespace`),
  'field of parks-{language}.json': async () => {
    await park();
    const [listed = {}] = (await service.call('parks_for_publishing', {
      p_language: 'en',
    })) as object[];
    return Object.keys(listed);
  },
  'local storage key': () =>
    matches(readFileSync('app/src/platform/local-settings.ts', 'utf8'), /\| '(\w+)'/g),
  'path of a photo': () =>
    matches(sources('app/src/features/dogs'), /['/}](\/?(?:dogs|primary|other)[/-])/g),
  route: () =>
    matches(sources('app/src/routes'), /createFileRoute\('([^']+)'\)/g).map((route) =>
      route.replace('/_tabs', '').replace(/(?<=.)\/$/, ''),
    ),
  'English text': () =>
    Object.values(
      JSON.parse(readFileSync('languages/en/app.json', 'utf8')) as Record<string, string>,
    ),
};

const rows = matches(
  readFileSync('docs/glossary.md', 'utf8'),
  /^(\| (?:[^|`]+) \| `[^|]+ \|)$/gm,
).map((row) => {
  const [, place = '', names = ''] = row.split('|').map((cell) => cell.trim());
  return [place, matches(names, /`([^`]+)`/g)] as const;
});

test('the table of protected names has every place', () => {
  const places = rows.map(([place]) => place).filter((place) => !place.startsWith('column of '));
  expect(places.toSorted()).toEqual(Object.keys(NAMES_IN).toSorted());
  expect(rows.flatMap(([, names]) => names).length).toBeGreaterThan(100);
});

test.each(rows)('%s: every protected name exists', async (place, names) => {
  const table = /^column of (\w+)$/.exec(place)?.[1];
  const existing = await (table === undefined ? NAMES_IN[place]?.() : columnsOf(table));
  expect(names.filter((name) => !existing?.includes(name))).toEqual([]);
});
