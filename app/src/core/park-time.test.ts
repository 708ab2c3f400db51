// Park time: Israel's time zone and weekend, in summer and winter.
import { expect, it } from 'vitest';
import { dayTypeOf, formatHour, formatParkTime, parkHour } from '../../../shared/park-time.ts';

it.each([
  ['2026-01-01T22:30:00Z', 0, 'weekend'], // Friday has just begun in Israel (UTC+2)
  ['2026-07-02T20:59:00Z', 23, 'weekday'], // still Thursday (UTC+3)
  ['2026-07-04T20:59:00Z', 23, 'weekend'],
  ['2026-07-04T21:00:00Z', 0, 'weekday'], // Sunday is the first day of the week
] as const)('parkHour: %s', (moment, hour, dayType) => {
  expect(parkHour(new Date(moment))).toEqual({ hour, dayType });
});

it('returns the type of a future day', () => {
  const kinds = ['2026-07-01', '2026-07-02', '2026-07-03', '2026-07-04', '2026-07-05'].map((date) =>
    dayTypeOf(Date.parse(date) / 86_400_000),
  );
  expect(kinds).toEqual(['weekday', 'weekday', 'weekend', 'weekend', 'weekday']);
});

it('formats times with 24 hours', () => {
  expect(formatParkTime(new Date('2026-07-02T14:05:00Z'), 'he-IL')).toBe('17:05');
  expect(formatHour(9, 'en-IL')).toBe('09:00');
  expect(formatHour(18, 'ar-IL-u-nu-latn')).toContain('18:00');
});
