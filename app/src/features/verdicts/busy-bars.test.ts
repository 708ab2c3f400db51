// Tests that weekdays and weekends have the same scale, and that missing hours have empty bars.
import { expect, it } from 'vitest';
import { busyBars, fullScale, hasHistory } from '#/features/verdicts/busy-bars.ts';

const rows = [
  { day_type: 'weekday' as const, hour: 18, dogs: 5.04, samples: 40 },
  { day_type: 'weekend' as const, hour: 9, dogs: 10, samples: 16 },
  { day_type: 'weekday' as const, hour: 3, dogs: 9, samples: 0 },
];

it("draws 24 bars on the scale of the week's busiest hour", () => {
  const bars = busyBars(rows, 'weekday', fullScale(rows, 0));
  expect(bars).toHaveLength(24);
  expect(bars[18]).toEqual({ hour: 18, dogs: 5, share: 0.504 });
  expect(bars[3]).toEqual({ hour: 3, dogs: 0, share: 0 });
  expect(busyBars(rows, 'weekend', fullScale(rows, 0))[9]?.share).toBe(1);
});

it('two dogs do not look like a crowd, and an empty history is detected', () => {
  const few = [{ day_type: 'weekday' as const, hour: 8, dogs: 2, samples: 3 }];
  expect(busyBars(few, 'weekday', fullScale(few, 0))[8]?.share).toBeCloseTo(1 / 3);
  expect(hasHistory(few)).toBe(true);
  expect(hasHistory([])).toBe(false);
});

it('more dogs than ever before extend the scale', () => {
  expect(fullScale(rows, 12)).toBe(12);
  expect(fullScale(rows, 3)).toBe(10);
});
