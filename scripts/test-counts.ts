// Reads the JSON reports of the two test runners into one kind of count: {passed, failed, skipped}.

/** @param report what Vitest's `json` reporter writes; a file that failed to load counts as one failure */
export function countVitest(report) {
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

/** @param report what Playwright's `json` reporter writes; a test that passed only on a retry counts as failed: flaky is broken */
export function countPlaywright(report) {
  return {
    passed: report.stats.expected,
    failed: report.stats.unexpected + report.stats.flaky + report.errors.length,
    skipped: report.stats.skipped,
  };
}
