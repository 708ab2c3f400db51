// Arrow keys: places straight ahead come before places to the side, and every place is reachable.
import { expect, it } from 'vitest';
import { nextInDirection } from '#/map/next-in-direction.ts';

const middle = { x: 100, y: 100 };
const PLACES = {
  middle,
  east: { x: 160, y: 110 },
  'far east': { x: 260, y: 100 },
  'south by east': { x: 110, y: 190 },
  north: { x: 90, y: 20 },
};
const names = Object.keys(PLACES);
const places = Object.values(PLACES);
const nameAt = (index: number) => names[index] ?? null;

it.each([
  ['ArrowRight', 'east'],
  ['ArrowDown', 'south by east'],
  ['ArrowUp', 'north'],
  // No place is straight to the left, so the one with the smallest deviation is chosen.
  ['ArrowLeft', 'north'],
  ['Enter', null],
])('%s moves from the middle to %s', (key, name) => {
  expect(nameAt(nextInDirection(middle, places, key))).toBe(name);
});

it('returns -1 from the last place in each direction', () => {
  expect(nextInDirection(PLACES['far east'], places, 'ArrowRight')).toBe(-1);
  expect(nextInDirection(middle, [middle], 'ArrowRight')).toBe(-1);
});

it('makes every place reachable from every other', () => {
  for (const start of places) {
    const reached = new Set([places.indexOf(start)]);
    for (const index of reached)
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
        const next = nextInDirection(places[index] ?? start, places, key);
        if (next >= 0) reached.add(next);
      }
    expect(reached.size).toBe(places.length);
  }
});
