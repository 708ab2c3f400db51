// Tests that the catalogue check finds each type of problem in a broken catalogue, and none in a correct one.
import { describe, expect, it } from 'vitest';
import { catalogueProblems, unusedAndMissing } from './lib/catalogue-problems.ts';
import { deskProblems } from './lib/desk-texts.ts';
import { keysInSource } from './lib/message-keys.ts';

const EN = '{count, plural, one {# dog} other {# dogs}}';
const HE = '{count, plural, one {כלב} two {שני כלבים} other {# כלבים}}';
const AR =
  '{count, plural, zero {لا كلاب} one {كلب} two {كلبان} few {# كلاب} many {# كلبًا} other {# كلب}}';

const problemsOf = (en: string, he: string, ar: string) =>
  catalogueProblems({ en: { 'a.b.c': en }, he: { 'a.b.c': he }, ar: { 'a.b.c': ar } });

it('the catalogues: a correct set has no problems', () => {
  expect(problemsOf(EN, HE, AR)).toEqual([]);
  expect(problemsOf('Hi {name}', 'שלום {name}', 'مرحبًا {name}')).toEqual([]);
});

it('the catalogues: have the same keys, in order', () => {
  const problems = catalogueProblems({
    en: { 'b.x': 'B', 'a.x': 'A' },
    he: { 'a.x': 'א', 'b.x': 'ב', 'c.x': 'ג' },
    ar: { 'a.x': 'أ' },
  });
  expect(problems).toEqual([
    'en/app.json: b.x is not in its place: keys are sorted',
    'he/app.json: c.x is not in en/app.json',
    'ar/app.json: b.x is missing',
  ]);
});

it('the catalogues: have the same placeholders and tags', () => {
  expect(problemsOf('Hi {name}', 'שלום', 'مرحبًا {nom}')).toEqual([
    'he/app.json: a.b.c has the placeholders none instead of name (argument)',
    'ar/app.json: a.b.c has the placeholders nom (argument) instead of name (argument)',
  ]);
  expect(problemsOf('<b>Hi</b>', 'שלום', '<b>مرحبًا</b>')).toEqual([
    'he/app.json: a.b.c has the tags none instead of b',
  ]);
});

it('the catalogues: have all plural forms of their language, and no other', () => {
  const two = '{count, plural, one {א} other {ב}}';
  const four = '{count, plural, one {א} two {ב} many {ג} other {ד}}';
  expect(problemsOf(EN, two, AR)).toEqual(['he/app.json: a.b.c has no plural form two']);
  expect(problemsOf(EN, four, AR)).toEqual([
    'he/app.json: a.b.c has a plural form that the language lacks: many',
  ]);
  expect(problemsOf(EN, HE, HE.replace(/כלב\p{L}*|שני/gu, 'ك'))).toEqual([
    'ar/app.json: a.b.c has no plural form zero, few, many',
  ]);
});

it('the catalogues: a new language needs its own plural forms and may be written in Latin letters', () => {
  const french = '{count, plural, one {# chien} many {# de chiens} other {# chiens}}';
  const problems = (fr: string) => catalogueProblems({ en: { 'a.b.c': EN }, fr: { 'a.b.c': fr } });
  expect(problems(french)).toEqual([]);
  expect(problems(EN)).toEqual(['fr/app.json: a.b.c has no plural form many']);
});

it('the catalogues: no English is left in Hebrew and Arabic except names', () => {
  expect(problemsOf('Open Google Maps', 'פתיחת Google Maps', 'open the map')).toEqual([
    'ar/app.json: a.b.c has Latin words: open, the, map',
  ]);
});

it('the catalogues: messages are not empty and can be parsed', () => {
  expect(problemsOf('{a, plural}', ' ', 'أ')).toEqual([
    expect.stringContaining('en/app.json: a.b.c cannot be parsed'),
    'he/app.json: a.b.c is empty',
  ]);
});

const source = keysInSource(
  'x.tsx',
  "const C = { bad: 'form.error.bad' }; t('home.title'); t(`menu.${name}Label`); t('not.there');",
);

it('the code: every message is used, by key or by pattern', () => {
  const keys = ['form.error.bad', 'home.title', 'menu.openLabel', 'menu.open', 'not.there'];
  expect(unusedAndMissing(keys, [source])).toEqual([
    'en/app.json: menu.open is used nowhere in app/src',
  ]);
});

it('the code: every key that it uses exists', () => {
  expect(unusedAndMissing(['home.title'], [source])).toEqual(['x.tsx: there is no text not.there']);
});

describe('the messages of the moderation desk', () => {
  const en = { queue: { waiting: 'Waiting: {count}' }, kinds: { park: 'Park' }, gone: 'Gone' };
  const he = { queue: { waiting: 'ממתינים: {count}' }, kinds: { park: 'גינה' }, gone: 'נמחק' };
  const source = 'fill(text.queue.waiting, { count }); textOf(text.kinds, kind); text.gone;';
  const problemsWith = (hebrew: object, code = source) =>
    deskProblems({ en, he: { ...he, ...hebrew } }, [{ file: 'x.tsx', source: code }]);

  it('are checked like the catalogues', () => {
    expect(problemsWith({})).toEqual([]);
    expect(
      problemsWith({ queue: { waiting: 'ממתינים' }, gone: 'gone', kinds: { photo: 'תמונה' } }),
    ).toEqual([
      'he/desk.json: kinds.park is missing',
      'he/desk.json: queue.waiting has the placeholders none instead of count (argument)',
      'he/desk.json: kinds.photo is not in en/desk.json',
      'he/desk.json: gone has Latin words: gone',
    ]);
  });

  it('are all used, by key or by the key of their group', () => {
    expect(problemsWith({}, 'text.queue.waiting; text.kinds[kind]; other.gone;')).toEqual([
      'en/desk.json: gone is used nowhere in the desk',
    ]);
  });
});
