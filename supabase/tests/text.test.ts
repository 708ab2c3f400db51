// Tests that the app and the importer normalise and clean texts exactly as SQL does.
import { expect, test } from 'vitest';
import { cleanName } from '../../server/src/product/imports/clean-name.ts';
import { foldText } from '../../app/src/core/fold-text.ts';
import { addDog, createFixtures } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous } = fixtures;
const finder = await fixtures.user('Finder');
const moderator = await fixtures.moderator('Moderator');

/** Texts for every character that PostgreSQL can store, with letters before and after it. */
const CHARACTERS = Array.from({ length: 0x1ffff }, (_, index) => index + 1)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  // Excludes unassigned characters, and those that PostgreSQL's version of Unicode does not contain.
  .filter((code) => !/\p{Cn}|[\ua7f1-\ua7f4]/u.test(String.fromCodePoint(code)))
  .map((code) => String.fromCodePoint(code));

async function differences(sqlName: string, inCode: (text: string) => string, texts: string[]) {
  const rows = await admin.rows(
    `select text, ${sqlName}(text) as result from unnest($1::text[]) as t (text)`,
    [texts],
  );
  return (rows as { text: string; result: string }[])
    .filter(({ text, result }) => inCode(text) !== result)
    .map(({ text, result }) => [text, inCode(text), result].map((one) => JSON.stringify(one)));
}

test('search texts are normalised equally in the app and in SQL, for every character', async () => {
  const texts = CHARACTERS.map((character) => `a${character}B`);
  expect(await differences('private.fold_text', foldText, texts)).toEqual([]);
});

test('names are cleaned equally by the importer and in SQL, for every character and every joiner', async () => {
  const joined = ['👨', 'ب', 'क', 'a', '\ufe0f', '❤', '1', '\u20e3', '\u200c', '\u200d', ''];
  const texts = joined.flatMap((before) =>
    ['\u200c', '\u200d', '\ufe0f', '\ufe0f\u200d', '\u200d\u200d'].flatMap((joiner) =>
      joined.map((after) => `x${before}${joiner}${after}y`),
    ),
  );
  const all = [...CHARACTERS.map((character) => `a${character}B`), ...texts];
  expect(await differences('private.clean_name', cleanName, all)).toEqual([]);
});

/** For each search, a function that returns the names it finds. */
const SEARCHES: Record<string, (typed: string) => Promise<unknown[]>> = {
  'public.suggest_places': (typed) => anonymous.column`select label from suggest_places(${typed})`,
  'private.find_users': (typed) =>
    finder.column`select found ->> 'name' || ', B' from jsonb_array_elements(search_users_with_dogs(${typed})) found`,
  'public.desk_users': (typed) => moderator.column`select name || ', B' from desk_users(${typed})`,
};

test('this file tests all functions that search by a part of a text', async () => {
  const found = await admin.column`select p.oid::regproc::text from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and p.prosrc ~* '\\ylike\\s+(''[% ]*''\\s*\\|\\|\\s*)?[a-z_.]+\\s*\\|\\||<%' order by 1`;
  const names = found.map((name) => (name as string).replace(/^(?!private\.)/, 'public.'));
  expect(names.toSorted()).toEqual(Object.keys(SEARCHES).toSorted());
});

test.each([
  ['Böhm', 'bohm'],
  ['גַּן הַכְּלָבִים', 'גן הכלבים'],
  ['גן חב"ד צה״ל', 'חב״ד צהל'],
  ['حديقة الأرز', 'الارز'],
  ['Tel Aviv-Yafo', 'aviv yafo'],
  ['Ż Łódź İstanbul', 'lodz istanbul'],
])('every search finds %s by %s', async (name, typed) => {
  await admin.rows(
    `with added as (insert into public.parks (lat, long, status) values (32, 34, 'approved') returning id)
     insert into public.park_translations (park_id, language, name, city, address) select id, 'en', $1, 'B', '' from added`,
    [name],
  );
  await fixtures.user(name);
  for (const [search, run] of Object.entries(SEARCHES))
    expect([search, await run(typed)]).toEqual([search, expect.arrayContaining([`${name}, B`])]);
});

test('users are found by the folded names of their dogs', async () => {
  await addDog(await fixtures.user('Owner'), 'Żółw');
  expect(await SEARCHES['private.find_users']?.('zolw')).toEqual(['Owner, B']);
});

test('effective joiners stay in the names of users and dogs', async () => {
  expect(await admin.value(`select private.clean_name($1)`, ['\u200d👨‍👩‍👧 ❤️ می‌خواهم a\u200db'])).toBe(
    '👨‍👩‍👧 ❤️ می‌خواهم ab',
  );
});

test('cleaning reads only the beginning of a text that is too long for every column', async () => {
  const lengths = ['clean_text', 'clean_name'].map((name) =>
    admin.value(`select char_length(private.${name}(repeat('a', 20000)))`),
  );
  expect(await Promise.all(lengths)).toEqual([10_000, 10_000]);
});
