// A report of this morning is no news.
import { expect, test } from 'vitest';
import { withinReportLife } from '#/features/live-reports/report-life.ts';

test('a report is sent for three hours, and not in the evening', () => {
  const report = { parkId: 1 };
  expect(withinReportLife(report, 3 * 60 * 60_000)).toBe(report);
  expect(withinReportLife(report, 8 * 60 * 60_000)).toBeNull();
});
