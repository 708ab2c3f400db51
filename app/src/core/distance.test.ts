// Distances: the formula, checked against a known distance, and rounding.
import { expect, it } from 'vitest';
import {
  distanceBetween,
  formatAcres,
  formatDistance,
  formatLength,
  roundLength,
  setUnits,
} from '#/core/distance.ts';

it('distanceBetween: returns about 54 km from Tel Aviv to Jerusalem', () => {
  const metres = distanceBetween({ lat: 32.0853, long: 34.7818 }, { lat: 31.7683, long: 35.2137 });
  expect(metres / 1000).toBeCloseTo(53.9, 0);
  expect(distanceBetween({ lat: 1, long: 2 }, { lat: 1, long: 2 })).toBe(0);
});

it('formatDistance: uses feet and miles for imperial sites', () => {
  setUnits('imperial');
  expect([3, 107, 340, 20_000].map((metres) => formatDistance(metres, 'en-US'))).toEqual([
    '10\u00A0ft',
    '350\u00A0ft',
    '0.2\u00A0mi',
    '12\u00A0mi',
  ]);
  expect([1.2, 250].map((metres) => formatLength(metres, 'en-US'))).toEqual([
    '3.9\u00A0ft',
    '820\u00A0ft',
  ]);
  expect(formatAcres(2600, 'en-US')).toBe('0.64\u00A0ac');
  setUnits();
});

it('lengths in a park are not rounded to tens', () => {
  expect([1.2, 250].map((metres) => formatLength(metres, 'en-IL'))).toEqual([
    '1.2\u00A0m',
    '250\u00A0m',
  ]);
  expect(formatAcres(2600, 'en-IL')).toBeNull();
});

it.each([
  [3, '10\u00A0m'],
  [347, '350\u00A0m'],
  [996, '1\u00A0km'],
  [2340, '2.3\u00A0km'],
  [12_700, '13\u00A0km'],
])('formatDistance: %i metres is %s', (metres, text) => {
  expect(formatDistance(metres, 'en-IL')).toBe(text);
});

it.each([
  [0.7, 1],
  [70, 100],
  [100, 100],
  [101, 200],
  [340, 500],
  [5100, 10_000],
])('a scale of at least %d m has %d m', (metres, length) => {
  expect(roundLength(metres)).toBe(length);
});
