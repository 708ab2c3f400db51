// Walking minutes for a distance.
import { expect, it } from 'vitest';
import { walkingMinutes } from '#/core/travel-time.ts';

it.each([
  [10, 1],
  [500, 8],
  [1800, 29],
  [3000, null],
])('%i metres are %s minutes', (metres, minutes) => {
  expect(walkingMinutes(metres)).toBe(minutes);
});
