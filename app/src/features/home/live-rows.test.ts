// How counts become what the map draws.
import { expect, it } from 'vitest';
import { liveRows } from '#/features/home/live-rows.ts';

it('leaves out parks that only have reviews', () => {
  expect(liveRows({ 7: { dogs_now: 3 }, 9: { dogs_now: 0 } })).toEqual([{ id: 7, dogs: 3 }]);
});
