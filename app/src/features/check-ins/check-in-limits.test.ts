// Tests the remaining time and the possible extension of a visit.
import { expect, it } from 'vitest';
import {
  arrivalChoice,
  extensionLeft,
  minutesAfterDelay,
  minutesLeft,
  shareGone,
} from './check-in-limits.ts';

const at = (minutes: number) => new Date(minutes * 60_000).toISOString();

it('the remaining minutes are rounded up and are never negative', () => {
  expect(minutesLeft(at(0), at(60), 0)).toBe(60);
  expect(minutesLeft(at(0), at(60), 59.5 * 60_000)).toBe(1);
  expect(minutesLeft(at(0), at(60), 90 * 60_000)).toBe(0);
  // The screen's clock is updated at intervals, so it may be earlier than the start.
  expect(minutesLeft(at(1), at(61), 0.9 * 60_000)).toBe(60);
});

it('the elapsed share of a visit is between 0 and 1', () => {
  expect(shareGone(at(0), at(60), 15 * 60_000)).toBe(0.25);
  expect(shareGone(at(0), at(60), 600 * 60_000)).toBe(1);
  expect(shareGone(at(5), at(5), 0)).toBe(1);
});

it('a visit is never extended beyond four hours', () => {
  expect(extensionLeft(at(0), at(60))).toBe(30);
  expect(extensionLeft(at(0), at(230))).toBe(10);
  expect(extensionLeft(at(0), at(240))).toBe(0);
});

it('the first offered arrival leaves enough time for the walk', () => {
  expect([null, 1, 5, 6, 30, 45].map(arrivalChoice)).toEqual([10, 5, 5, 10, 30, 30]);
});

it('a delayed visit keeps its planned end, and does not start after it', () => {
  const minute = 60_000;
  expect(minutesAfterDelay(60, 20 * minute)).toBe(40);
  expect(minutesAfterDelay(60, 60 * minute)).toBeNull();
});
