// Arrow keys among places: what lies ahead comes before what lies beside, and each place can be reached.
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
  // Nothing lies just there: the least crooked way.
  ['ArrowLeft', 'north'],
  ['Enter', null],
])('%s leads from the middle to %s', (key, name) => {
  expect(nameAt(nextInDirection(middle, places, key))).toBe(name);
});

it('leads nowhere from the last in its direction', () => {
  expect(nextInDirection(PLACES['far east'], places, 'ArrowRight')).toBe(-1);
  expect(nextInDirection(middle, [middle], 'ArrowRight')).toBe(-1);
});

it('reaches each place from each other', () => {
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
