// Reads the JSON reports of the two test runners: counts of tests, and the slowest ones.

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** A file of unit or server tests, or one e2e test. */
export interface Timed {
  file: string;
  /** The number of tests, or the title of the e2e test including the titles of its groups. */
  what: string;
  /** Wall-clock time, while other tests run in parallel. */
  seconds: number;
}

/** The fields of Vitest's `json` report that this file uses. Times are in milliseconds. */
interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests?: number;
  testResults: {
    name: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: unknown[];
  }[];
}

/** A file of e2e tests, or a group in it. */
interface Suite {
  title: string;
  file: string;
  suites?: Suite[];
  specs: { title: string; tests: { results: { duration: number }[] }[] }[];
}

/** The fields of Playwright's `json` report that this file uses. Times are in milliseconds. */
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
  suites: Suite[];
}

/**
 * Reads a report. A file that failed to load counts as one failure.
 * @param root the root of the checkout; the report contains absolute paths
 */
export function readVitest(report: VitestReport, root: string): { counts: Counts; timed: Timed[] } {
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  return {
    counts: {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded,
      skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    },
    // Times are listed per file, because single cases of a table are too short to matter.
    timed: report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      file: name.replace(`${root}/`, ''),
      what: `${assertionResults.length} tests`,
      seconds: (endTime - startTime) / 1000,
    })),
  };
}

/** Reads a report. A test that passed only after a retry counts as failed, because flaky tests are bugs. */
export function readPlaywright({ stats, errors, suites }: PlaywrightReport): {
  counts: Counts;
  timed: Timed[];
} {
  const within = ({ file, specs, suites: inner = [] }: Suite, groups: string[]): Timed[] => [
    ...specs.map(({ title, tests }) => ({
      file: `e2e/${file}`,
      what: [...groups, title].join(' › '),
      seconds: tests
        .flatMap(({ results }) => results)
        .reduce((sum, { duration }) => sum + duration / 1000, 0),
    })),
    ...inner.flatMap((group) => within(group, [...groups, group.title])),
  ];
  return {
    counts: {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: stats.skipped,
    },
    // The outermost suites are the files. Their titles are paths.
    timed: suites.flatMap((suite) => within(suite, [])),
  };
}
