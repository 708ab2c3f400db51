// How long a report is valid, and how its time is displayed.
import { expect, test } from 'vitest';
import { reportedWhen, withinReportLife } from '#/features/live-reports/report-life.ts';

test('sends a report within three hours, but not later', () => {
  const report = { parkId: 1 };
  expect(withinReportLife(report, 3 * 60 * 60_000)).toBe(report);
  expect(withinReportLife(report, 8 * 60 * 60_000)).toBeNull();
});

test('shows "recently" while a report may be from this quarter of an hour', () => {
  const now = Date.parse('2026-03-10T12:14:00Z');
  const format = (at: string) =>
    reportedWhen(at, now, 'en-IL', (key, values) => [key, values?.ago].join(' ').trim());
  expect(format('2026-03-10T12:00:00Z')).toBe('liveReports.reportedLately');
  expect(format('2026-03-10T11:30:00Z')).toBe('liveReports.reported 44 minutes ago');
});
