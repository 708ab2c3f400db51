// The day of a meeting in words, by the days at the parks.
import { expect, it } from 'vitest';
import { meetingDay } from '#/features/park-invites/meeting-day.ts';

/** 23:30 of Saturday at the parks. */
const NOW = new Date('2026-05-02T20:30:00Z');

it.each([
  ['2026-05-02T20:45:00Z', 'en-IL', 'today'],
  ['2026-05-02T21:15:00Z', 'en-IL', 'tomorrow'],
  ['2026-05-02T21:15:00Z', 'he-IL', 'מחר'],
  ['2026-05-03T20:30:00Z', 'ar-IL', 'غدًا'],
  ['2026-05-02T18:00:00Z', 'he-IL', 'היום'],
  ['2026-05-05T15:00:00Z', 'he-IL', 'יום שלישי, 5 במאי'],
])('%s in %s is %s', (meetAt, locale, words) => {
  expect(meetingDay(new Date(meetAt), NOW, locale)).toBe(words);
});
