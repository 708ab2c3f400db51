// How counts become what the map draws.
import { describe, expect, it } from 'vitest';
import { busyLevel, liveRows } from '#/features/home/live-rows.ts';

describe('busyLevel', () => {
  it.each([
    [0, 'quiet'],
    [2, 'quiet'],
    [3, 'medium'],
    [6, 'medium'],
    [7, 'busy'],
  ])('%i dogs are %s', (dogs, level) => {
    expect(busyLevel(dogs)).toBe(level);
  });
});

describe('liveRows', () => {
  it('leaves out parks that only have reviews', () => {
    expect(liveRows({ 7: { dogs_now: 3 }, 9: { dogs_now: 0 } })).toEqual([
      { id: 7, dogs: 3, level: 'medium' },
    ]);
  });
});
