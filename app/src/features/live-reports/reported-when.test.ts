// Tests how long a report is valid, and how its time is displayed.
import { expect, test } from 'vitest';
import { reportedWhen } from '#/features/live-reports/reported-when.ts';

test('shows "recently" while a report may be less than 15 minutes old', () => {
  const now = Date.parse('2026-03-10T12:14:00Z');
  const format = (at: string) =>
    reportedWhen(at, now, 'en-IL', (key, values) => [key, values?.ago].join(' ').trim());
  expect(format('2026-03-10T12:00:00Z')).toBe('liveReports.reportedLately');
  expect(format('2026-03-10T11:30:00Z')).toBe('liveReports.reported 44 minutes ago');
});
