// Texts: the app and the importer normalise and clean them exactly as SQL does.
import { expect, test } from 'vitest';
import { cleanName } from '../../server/src/product/imports/clean-name.ts';
import { foldText } from '../../app/src/core/fold-text.ts';
import { createFixtures } from './fixtures.ts';

const { admin, anonymous } = await createFixtures();

/** Every character that PostgreSQL can store, each between letters. */
const CHARACTERS = Array.from({ length: 0x1ffff }, (_, index) => index + 1)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  // Excludes unassigned characters and those newer than PostgreSQL's version of Unicode.
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

test.each([
  ['Böhm', 'bohm'],
  ['גַּן הַכְּלָבִים', 'גן הכלבים'],
  ['גן חב"ד צה״ל', 'חב״ד צהל'],
  ['حديقة الأرز', 'الارز'],
  ['Tel Aviv-Yafo', 'aviv yafo'],
  ['Ż Łódź İstanbul', 'lodz istanbul'],
])('the search of the map finds %s by %s', async (name, typed) => {
  await admin.rows(
    `with added as (insert into public.parks (lat, long, status) values (32, 34, 'approved') returning id)
     insert into public.park_translations (park_id, language, name, city, address) select id, 'en', $1, 'B', '' from added`,
    [name],
  );
  const found = await anonymous.rows(`select label from suggest_places($1)`, [typed]);
  expect(found).toContainEqual({ label: `${name}, B` });
});

test('effective joiners stay in the names of users and dogs', async () => {
  expect(await admin.value(`select private.clean_name($1)`, ['\u200d👨‍👩‍👧 ❤️ می‌خواهم a\u200db'])).toBe(
    '👨‍👩‍👧 ❤️ می‌خواهم ab',
  );
});
