// Reads the JSON reports of the two test runners: how many tests passed, and what took longest.

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** A file of unit or server tests, or a journey. */
export interface Timed {
  file: string;
  /** How many tests, or the journey's name with those of the groups around it. */
  what: string;
  /** From its beginning to its end, with others beside it. */
  seconds: number;
}

/** What is read of the report that Vitest's `json` reporter writes; times are in milliseconds. */
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

/** A file of journeys, or a group in it. */
interface Suite {
  title: string;
  file: string;
  suites?: Suite[];
  specs: { title: string; tests: { results: { duration: number }[] }[] }[];
}

/** What is read of the report that Playwright's `json` reporter writes; times are in milliseconds. */
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
  suites: Suite[];
}

/** A file that failed to load counts as one failure. @param root of the checkout, in which the report names files */
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
    // By files, for a thousand tests of one table are short each.
    timed: report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      file: name.replace(`${root}/`, ''),
      what: `${assertionResults.length} tests`,
      seconds: (endTime - startTime) / 1000,
    })),
  };
}

/** A test that passed only on a retry counts as failed: flaky is broken. */
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
    // The outermost are the files, whose titles are their paths.
    timed: suites.flatMap((suite) => within(suite, [])),
  };
}
