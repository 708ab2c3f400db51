// Phases of daylight at the parks, in summer and winter.
import { expect, test } from 'vitest';
import { sunPhase } from '#/core/sun.ts';

// Tel Aviv: sunrise 5:34 and sunset 19:50 on 21 June (UTC+3), 6:38 and 16:41 on 22 December (UTC+2).
test.each([
  ['2026-06-21T04:00+03:00', 'night'],
  ['2026-06-21T05:40+03:00', 'dawn'],
  ['2026-06-21T08:00+03:00', 'day'],
  ['2026-06-21T18:30+03:00', 'day'],
  ['2026-06-21T19:40+03:00', 'dusk'],
  ['2026-06-21T21:30+03:00', 'night'],
  ['2026-12-22T05:30+02:00', 'night'],
  ['2026-12-22T06:45+02:00', 'dawn'],
  ['2026-12-22T12:00+02:00', 'day'],
  ['2026-12-22T16:30+02:00', 'dusk'],
  ['2026-12-22T18:00+02:00', 'night'],
])('at %s it is %s', (moment, phase) => {
  expect(sunPhase(new Date(moment))).toBe(phase);
});
