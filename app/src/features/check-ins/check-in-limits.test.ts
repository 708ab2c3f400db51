// The length of a visit: what is left, what may be added.
import { expect, it } from 'vitest';
import { extensionLeft, minutesAfterDelay, minutesLeft, shareGone } from './check-in-limits.ts';

const at = (minutes: number) => new Date(minutes * 60_000).toISOString();

it('counts the minutes left up, and never below none', () => {
  expect(minutesLeft(at(0), at(60), 0)).toBe(60);
  expect(minutesLeft(at(0), at(60), 59.5 * 60_000)).toBe(1);
  expect(minutesLeft(at(0), at(60), 90 * 60_000)).toBe(0);
  // The clock of the screen moves in steps.
  expect(minutesLeft(at(1), at(61), 0.9 * 60_000)).toBe(60);
});

it('says how much is over', () => {
  expect(shareGone(at(0), at(60), 15 * 60_000)).toBe(0.25);
  expect(shareGone(at(0), at(60), 600 * 60_000)).toBe(1);
  expect(shareGone(at(5), at(5), 0)).toBe(1);
});

it('never lets a visit pass four hours', () => {
  expect(extensionLeft(at(0), at(60))).toBe(30);
  expect(extensionLeft(at(0), at(230))).toBe(10);
  expect(extensionLeft(at(0), at(240))).toBe(0);
});

it('a visit that begins late lasts as long as it was planned, and one that is over does not begin', () => {
  const minute = 60_000;
  expect(minutesAfterDelay(60, 20 * minute)).toBe(40);
  expect(minutesAfterDelay(60, 60 * minute)).toBeNull();
});
