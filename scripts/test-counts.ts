// Reads the JSON reports of the two test runners into one kind of count: {passed, failed, skipped}.

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** What is read of the report that Vitest's `json` reporter writes. */
interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests?: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

/** What is read of the report that Playwright's `json` reporter writes. */
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

/** A file that failed to load counts as one failure. */
export function countVitest(report: VitestReport): Counts {
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

/** A test that passed only on a retry counts as failed: flaky is broken. */
export const countPlaywright = (report: PlaywrightReport): Counts => ({
  passed: report.stats.expected,
  failed: report.stats.unexpected + report.stats.flaky + report.errors.length,
  skipped: report.stats.skipped,
});
