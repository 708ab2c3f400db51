// Times in words: the right unit, and the date after a week.
import { expect, it } from 'vitest';
import { formatAgo } from '#/lib/format-ago.ts';

const now = new Date('2026-11-21T12:00:00Z');

it.each([
  ['2026-11-21T11:59:40Z', 'now'],
  ['2026-11-21T11:55:00Z', '5 minutes ago'],
  ['2026-11-21T09:00:00Z', '3 hours ago'],
  ['2026-11-20T11:00:00Z', 'yesterday'],
  ['2026-11-01T11:00:00Z', 'Nov 1, 2026'],
])('%s', (moment, text) => {
  expect(formatAgo(new Date(moment), now, 'en-US')).toBe(text);
});

it('speaks Hebrew with its dual form', () => {
  expect(formatAgo(new Date('2026-11-21T10:00:00Z'), now, 'he-IL')).toBe('לפני שעתיים');
});
