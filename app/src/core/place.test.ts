// Tests the validation of coordinates from URLs and files.
import { expect, it } from 'vitest';
import { readLatLong } from '#/core/place.ts';

it('readLatLong: accepts numbers and numeric strings', () => {
  expect(readLatLong(32.1, '34.8')).toEqual({ lat: 32.1, long: 34.8 });
  expect(readLatLong(-90, 180)).toEqual({ lat: -90, long: 180 });
});

it.each([
  [undefined, 34],
  ['', 34],
  ['here', 34],
  [91, 34],
  [32, -181],
  [NaN, 34],
  [null, null],
  [true, 1],
])('readLatLong: rejects %s, %s', (lat, long) => {
  expect(readLatLong(lat, long)).toBeNull();
});
