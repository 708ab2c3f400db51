// Tests the proposed time of a meeting, and the day in the parks' time zone as text.
import { expect, it } from 'vitest';
import { meetingDay, presetTime, nextHalfHour, timeProblem, toLocalInput } from './meeting-time.ts';

it('proposes the next half hour, but not one that is about to begin', () => {
  const at = (text: string) => nextHalfHour(new Date(text)).toISOString().slice(11, 16);
  expect(at('2026-05-01T10:05:00Z')).toBe('10:30');
  expect(at('2026-05-01T10:20:00Z')).toBe('10:30');
  expect(at('2026-05-01T10:25:00Z')).toBe('11:00');
});

it('converts presets to times and omits the evening once it has begun', () => {
  const at = (preset: Parameters<typeof presetTime>[0], now: string) => {
    const moment = presetTime(preset, new Date(now));
    return moment && toLocalInput(moment).slice(11);
  };
  expect(at('now', '2026-05-01T10:05:20')).toBe('10:11');
  expect(at('twenty', '2026-05-01T10:05:00')).toBe('10:25');
  expect(at('evening', '2026-05-01T10:05:00')).toBe('18:00');
  expect(at('evening', '2026-05-01T17:31:00')).toBeNull();
  expect(at('evening', '2026-05-01T22:00:00')).toBeNull();
  expect(at('other', '2026-05-01T10:05:00')).toBeNull();
});

it('writes the format that a datetime-local field parses to the same time', () => {
  const moment = new Date('2026-05-01T10:30:00Z');
  expect(new Date(toLocalInput(moment)).getTime()).toBe(moment.getTime());
});

it('accepts future times up to 30 days ahead', () => {
  const now = new Date('2026-05-01T10:30:00');
  const problem = (typed: string) => timeProblem(typed, now);
  expect(['2026-05-01T10:31', '2026-05-31T10:30'].map(problem)).toEqual([null, null]);
  expect(['', '2026-05-01T10:29', '2020-01-01T10:00'].map(problem)).toEqual(
    Array(3).fill('parkInvites.form.timeMissing'),
  );
  expect(problem('2026-05-31T10:31')).toBe('parkInvites.form.badTime');
});

/** Saturday 23:30 in the parks' time zone. */
const LATE = new Date('2026-05-02T20:30:00Z');

it.each([
  ['2026-05-02T20:45:00Z', 'en-IL', 'today'],
  ['2026-05-02T21:15:00Z', 'en-IL', 'tomorrow'],
  ['2026-05-02T21:15:00Z', 'he-IL', 'מחר'],
  ['2026-05-03T20:30:00Z', 'ar-IL', 'غدًا'],
  ['2026-05-02T18:00:00Z', 'he-IL', 'היום'],
  ['2026-05-05T15:00:00Z', 'he-IL', 'יום שלישי, 5 במאי'],
])('%s in %s is %s', (meetAt, locale, words) => {
  expect(meetingDay(new Date(meetAt), LATE, locale)).toBe(words);
});
