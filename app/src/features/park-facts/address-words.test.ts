// Which fields of the new-park form an address search fills in.
import { expect, test } from 'vitest';
import { NO_WORDS, wordsAfterSearch } from '#/features/park-facts/address-words.ts';

const haifa = { city: 'חיפה', address: 'הנמל 7' };
const raanana = { city: 'רעננה', address: 'אחוזה 1' };

test('fills empty fields with the found address', () => {
  expect(wordsAfterSearch(NO_WORDS, NO_WORDS, haifa)).toEqual(haifa);
  expect(wordsAfterSearch({ city: ' ', address: '' }, NO_WORDS, haifa)).toEqual(haifa);
});

test('keeps typed text in each field', () => {
  const typed = { city: '', address: 'ליד המזרקה' };
  expect(wordsAfterSearch(typed, NO_WORDS, haifa)).toEqual({ ...typed, city: 'חיפה' });
});

test('replaces the values of an earlier search unless they were edited', () => {
  expect(wordsAfterSearch(haifa, haifa, raanana)).toEqual(raanana);
  expect(wordsAfterSearch(haifa, haifa, { city: 'עכו', address: '' })).toEqual({
    city: 'עכו',
    address: '',
  });
  const corrected = { city: 'חיפה', address: 'הנמל 7, מאחור' };
  expect(wordsAfterSearch(corrected, haifa, raanana)).toEqual({
    city: 'רעננה',
    address: 'הנמל 7, מאחור',
  });
});
