// What an address search writes into the form of a new park, and what it leaves alone.
import { expect, test } from 'vitest';
import { NO_WORDS, wordsAfterSearch } from '#/features/park-facts/address-words.ts';

const haifa = { city: 'חיפה', address: 'הנמל 7' };
const raanana = { city: 'רעננה', address: 'אחוזה 1' };

test('fields that are empty get what is known of the place', () => {
  expect(wordsAfterSearch(NO_WORDS, NO_WORDS, haifa)).toEqual(haifa);
  expect(wordsAfterSearch({ city: ' ', address: '' }, NO_WORDS, haifa)).toEqual(haifa);
});

test('what was typed stays, each field by itself', () => {
  const typed = { city: '', address: 'ליד המזרקה' };
  expect(wordsAfterSearch(typed, NO_WORDS, haifa)).toEqual({ ...typed, city: 'חיפה' });
});

test('what an earlier search wrote goes with its place, unless it was changed since', () => {
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
