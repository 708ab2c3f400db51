// Tests which fields of the new-park form an address search fills in.
import { expect, test } from 'vitest';
import { EMPTY_ADDRESS, fieldsAfterSearch } from '#/features/park-facts/address-fields.ts';

const haifa = { city: 'חיפה', address: 'הנמל 7' };
const raanana = { city: 'רעננה', address: 'אחוזה 1' };

test('empty fields are filled with the found address', () => {
  expect(fieldsAfterSearch(EMPTY_ADDRESS, EMPTY_ADDRESS, haifa)).toEqual(haifa);
  expect(fieldsAfterSearch({ city: ' ', address: '' }, EMPTY_ADDRESS, haifa)).toEqual(haifa);
});

test('typed text is kept in each field', () => {
  const typed = { city: '', address: 'ליד המזרקה' };
  expect(fieldsAfterSearch(typed, EMPTY_ADDRESS, haifa)).toEqual({ ...typed, city: 'חיפה' });
});

test('values of an earlier search are replaced unless they were edited', () => {
  expect(fieldsAfterSearch(haifa, haifa, raanana)).toEqual(raanana);
  expect(fieldsAfterSearch(haifa, haifa, { city: 'עכו', address: '' })).toEqual({
    city: 'עכו',
    address: '',
  });
  const corrected = { city: 'חיפה', address: 'הנמל 7, מאחור' };
  expect(fieldsAfterSearch(corrected, haifa, raanana)).toEqual({
    city: 'רעננה',
    address: 'הנמל 7, מאחור',
  });
});
