// Tests when a device counts as being at a park, and when the user is asked to check in.
import { expect, it } from 'vitest';
import { arrivedAt, formatAsked, parseAsked } from '#/features/check-ins/device-at-park.ts';

const park = { id: 3, name: 'Long Lawn', location: { lat: 32.1, long: 34.8 } };
const inIt = { lat: 32.1005, long: 34.8 };
const besideIt = { lat: 32.1015, long: 34.8 };
const hour = 3_600_000;

it("asks about the park at the device's location, and not outside of it", () => {
  expect(arrivedAt(park, inIt, null, 0)).toBe(park);
  expect(arrivedAt(park, besideIt, null, 0)).toBeNull();
  expect(arrivedAt(null, inIt, null, 0)).toBeNull();
});

it('asks once per visit, and again at another park or after four hours', () => {
  const asked = { parkId: 3, at: 0 };
  expect(arrivedAt(park, inIt, asked, hour)).toBeNull();
  expect(arrivedAt(park, inIt, { ...asked, parkId: 4 }, hour)).toBe(park);
  expect(arrivedAt(park, inIt, asked, 5 * hour)).toBe(park);
});

it('parses only its own format', () => {
  expect(parseAsked(formatAsked({ parkId: 3, at: 12 }))).toEqual({ parkId: 3, at: 12 });
  for (const text of [null, '', '3', 'x 12', '3 12 1']) expect(parseAsked(text)).toBeNull();
});
