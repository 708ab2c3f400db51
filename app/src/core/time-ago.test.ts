// Relative times: a suitable unit, and 'now' if the device's clock is behind.
import { expect, it } from 'vitest';
import { timeAgo } from '#/core/time-ago.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

it.each([
  ['2026-03-10T11:59:40Z', 'now'],
  ['2026-03-10T12:05:00Z', 'now'],
  ['2026-03-10T11:40:00Z', '20 minutes ago'],
  ['2026-03-10T09:00:00Z', '3 hours ago'],
  ['2026-03-09T11:00:00Z', 'yesterday'],
  ['2026-01-05T11:00:00Z', '2 months ago'],
  ['2023-01-05T11:00:00Z', '3 years ago'],
])('%s is %s', (moment, text) => {
  expect(timeAgo(moment, now, 'en-IL')).toBe(text);
});

it('uses the Hebrew dual without a digit', () => {
  expect(timeAgo('2026-03-10T10:00:00Z', now, 'he-IL')).toBe('לפני שעתיים');
  expect(timeAgo('2026-03-10T11:58:00Z', now, 'he-IL')).toBe('לפני שתי דקות');
  expect(timeAgo('2026-03-10T11:48:00Z', now, 'he-IL')).toBe('לפני 12 דקות');
});
