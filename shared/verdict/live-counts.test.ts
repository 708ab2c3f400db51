// Live counts from a complete response and later changes.
import { expect, it } from 'vitest';
import { applyLiveResponse } from './live-counts.ts';

const complete = applyLiveResponse(
  undefined,
  { at: 100, all: true, dogs: [7, 2, 3, 8], conditions: { 10: ['muddy'], 30: ['gateClosed'] } },
  5000,
);

it('reads all parks with dogs or conditions', () => {
  expect(complete).toEqual({
    at: 100,
    completeAt: 5000,
    parks: {
      7: { dogs_now: 2, busy_level: 'quiet', conditions: [], hazards: [] },
      10: { dogs_now: 8, busy_level: 'busy', conditions: ['muddy'], hazards: [] },
      30: { dogs_now: 0, busy_level: 'quiet', conditions: ['gateClosed'], hazards: [] },
    },
  });
});

it('applies changes and removes parks without any data', () => {
  const changed = { at: 105, dogs: [7, 0, 3, 3, 2, 1], conditions: { 30: [] } };
  const next = applyLiveResponse(complete, changed, 20_000);
  expect(next).toEqual({
    at: 105,
    completeAt: 5000,
    parks: {
      10: { dogs_now: 3, busy_level: 'medium', conditions: ['muddy'], hazards: [] },
      12: { dogs_now: 1, busy_level: 'quiet', conditions: [], hazards: [] },
    },
  });
  expect(Object.keys(complete.parks)).toEqual(['7', '10', '30']);
});

it('discards everything before a complete response', () => {
  expect(applyLiveResponse(complete, { at: 300, all: true }, 90_000)).toEqual({
    at: 300,
    completeAt: 90_000,
    parks: {},
  });
});
