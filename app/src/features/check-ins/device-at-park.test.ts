// Tests when a device counts as being at a park, and when a check-in is offered.
import { expect, it } from 'vitest';
import { arrivedAt, formatOffer, parseOffer } from '#/features/check-ins/device-at-park.ts';

const park = { id: 3, name: 'Long Lawn', location: { lat: 32.1, long: 34.8 } };
const inIt = { lat: 32.1005, long: 34.8 };
const besideIt = { lat: 32.1015, long: 34.8 };
const hour = 3_600_000;

it("asks about the park at the device's location, and not outside of it", () => {
  expect(arrivedAt(park, inIt, null, 0)).toBe(park);
  expect(arrivedAt(park, besideIt, null, 0)).toBeNull();
  expect(arrivedAt(null, inIt, null, 0)).toBeNull();
});

it('offers a check-in once per visit, and again at another park or after four hours', () => {
  const lastOffer = { parkId: 3, at: 0 };
  expect(arrivedAt(park, inIt, lastOffer, hour)).toBeNull();
  expect(arrivedAt(park, inIt, { ...lastOffer, parkId: 4 }, hour)).toBe(park);
  expect(arrivedAt(park, inIt, lastOffer, 5 * hour)).toBe(park);
});

it('parses only its own format', () => {
  expect(parseOffer(formatOffer({ parkId: 3, at: 12 }))).toEqual({ parkId: 3, at: 12 });
  for (const text of [null, '', '3', 'x 12', '3 12 1']) expect(parseOffer(text)).toBeNull();
});
