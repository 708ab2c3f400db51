// Which values in a message get bidi isolates.
import { expect, test } from 'vitest';
import { isolateOthers } from '#/i18n/isolate.ts';
import { directionOf, languageOf } from '#/i18n/written-text.ts';

test('only words of the other direction are isolated', () => {
  const values = { name: 'Maya (רעננה)', hour: '08:00', dogs: 2, friend: 'נועה' };
  expect(isolateOthers(values, 'rtl')).toEqual({ ...values, name: '\u2068Maya (רעננה)\u2069' });
  expect(isolateOthers(values, 'ltr')).toEqual({
    ...values,
    name: '\u2068Maya (רעננה)\u2069',
    friend: '\u2068נועה\u2069',
  });
});

test("a sentence's direction is that of its words, not of a name at its start", () => {
  expect(directionOf('\u2068רנה\u2069 wants to be your friend')).toBe('ltr');
  expect(directionOf('\u2068Maya\u2069 שלחה הזמנה')).toBe('rtl');
  expect(directionOf('2 كلاب (Rex)')).toBe('rtl');
  expect(directionOf('08:00')).toBe('ltr');
});

test('the language of user content is guessed from its first letter', () => {
  expect(['5 עצים', 'ظل دائم', 'Shade!', 'Тень', '★★'].map(languageOf)).toEqual([
    'he',
    'ar',
    'en',
    undefined,
    undefined,
  ]);
});
