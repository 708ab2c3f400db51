// Numbers in messages: the same digits in all languages, grouped if the language does so.
import { expect, test } from 'vitest';
import { isolateOthers } from './isolate.ts';
import { number, select } from './message-runtime.ts';

test.each(['en', 'he', 'ar'] as const)(
  '%s formats small and large counts with Latin digits',
  (language) => {
    expect(number(language, 0, 0)).toBe('0');
    expect(number(language, 999, 0)).toBe('999');
    expect(number(language, 12_345, 1)).toBe('12,344');
  },
);

test('fractions and negative numbers use Intl', () => {
  expect(number('en', 2.5, 0)).toBe('2.5');
  expect(number('en', -3, 0)).toBe('-3');
});

test.each(['ltr', 'rtl'] as const)('a message chooses by a word of Latin letters (%s)', (way) => {
  const { gender = '' } = isolateOthers({ gender: 'FEMALE' }, way);
  expect(select(String(gender), { FEMALE: 'רגועה', other: 'רגוע' })).toBe('רגועה');
  expect(select('', { FEMALE: 'רגועה', other: 'רגוע' })).toBe('רגוע');
});
