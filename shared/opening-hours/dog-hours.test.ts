// Rules for dogs that depend on the time.
import { expect, it } from 'vitest';
import { dogRuleNow, dogSpans, parseDogHours } from './dog-hours.ts';

const PLACE = { lat: 32.08, long: 34.78, offset: () => 120, isHoliday: () => false };
const SUNDAY = Date.parse('2026-11-22T00:00Z') / 86_400_000;
const LAWN = 'unleashed @ (Su-Th 06:00-09:00,18:00-21:00); no @ (22:00-05:00)';

it.each([
  [7, 'unleashed', 'leashed', SUNDAY, 9 * 60],
  [12, 'leashed', 'unleashed', SUNDAY, 18 * 60],
  [21.5, 'leashed', 'no', SUNDAY, 22 * 60],
  [23, 'no', 'leashed', SUNDAY + 1, 5 * 60],
])('dogRuleNow: at %s o’clock', (hour, rule, next, day, minute) => {
  const hours = parseDogHours('leashed', LAWN);
  expect(hours && dogRuleNow(hours, { day: SUNDAY, minute: hour * 60 }, PLACE)).toEqual({
    rule,
    next: { rule: next, at: { day, minute } },
  });
});

it('returns when dogs are allowed', () => {
  const of = (dog: string | undefined, conditional?: string) => {
    const hours = parseDogHours(dog, conditional);
    return hours && dogSpans(hours, SUNDAY, PLACE).map(({ from, to }) => [from / 60, to / 60]);
  };
  expect(of('leashed', LAWN)).toEqual([[5, 22]]);
  expect(of('no', 'leashed @ (06:00-10:00)')).toEqual([[6, 10]]);
  expect(of('unleashed')).toEqual([[0, 24]]);
  expect(of('no')).toEqual([]);
});

it('returns the only rule if there are no exceptions, and null for rules that it cannot parse', () => {
  const always = parseDogHours('unleashed', undefined);
  expect(always && dogRuleNow(always, { day: SUNDAY, minute: 0 }, PLACE)).toEqual({
    rule: 'unleashed',
    next: null,
  });
  expect(parseDogHours(undefined, undefined)).toBeNull();
  expect(parseDogHours('yes', undefined)).toBeNull();
  expect(parseDogHours('leashed', 'unleashed @ (low_tide)')).toBeNull();
  expect(parseDogHours('leashed', 'wild @ (06:00-10:00)')).toBeNull();
});
