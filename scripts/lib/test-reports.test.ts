// Tests that the last line of `npm test` never hides a failure.
import { expect, test } from 'vitest';
import { readPlaywright, readVitest } from './test-reports.ts';

test('a Vitest file that cannot be loaded counts as a failure', () => {
  const times = { name: '/root/a.test.ts', startTime: 0, endTime: 2000 };
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 2,
    testResults: [
      { ...times, status: 'failed', assertionResults: [] },
      { ...times, status: 'failed', assertionResults: [{}] },
    ],
  };
  const { counts, timed } = readVitest(report, '/root');
  expect(counts).toEqual({ passed: 3, failed: 2, skipped: 2 });
  expect(timed[1]).toEqual({ file: 'a.test.ts', what: '1 tests', seconds: 2 });
});

test('a flaky e2e test and an error outside the tests count as failures', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 0 };
  const { counts } = readPlaywright({ stats, errors: [{}], suites: [] });
  expect(counts).toEqual({ passed: 5, failed: 3, skipped: 0 });
});
