// What took longest, by the JSON reports of the two test runners: where a run that took too long can become shorter.

/** A file of unit or server tests, or a journey. */
export interface Timed {
  file: string;
  /** How many tests, or the journey's name with those of the groups around it. */
  what: string;
  /** From its beginning to its end, with others beside it. */
  seconds: number;
}

/** What is read of the report that Vitest's `json` reporter writes; times are in milliseconds. */
export interface VitestTimes {
  testResults: { name: string; startTime: number; endTime: number; assertionResults: unknown[] }[];
}

/** A file of journeys, or a group in it. */
interface Journeys {
  title: string;
  file: string;
  suites?: Journeys[];
  specs: { title: string; tests: { results: { duration: number }[] }[] }[];
}

/** What is read of the report that Playwright's `json` reporter writes; times are in milliseconds. */
export interface PlaywrightTimes {
  suites: Journeys[];
}

/** By files, for a thousand tests of one table are short each. @param root of the checkout, in which the report names files */
export const timeVitest = ({ testResults }: VitestTimes, root: string): Timed[] =>
  testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    file: name.replace(`${root}/`, ''),
    what: `${assertionResults.length} tests`,
    seconds: (endTime - startTime) / 1000,
  }));

/** @param folder of the journeys in the checkout, from which the report names files */
export function timePlaywright({ suites }: PlaywrightTimes, folder: string): Timed[] {
  const within = ({ file, specs, suites: inner = [] }: Journeys, groups: string[]): Timed[] => [
    ...specs.map(({ title, tests }) => ({
      file: `${folder}/${file}`,
      what: [...groups, title].join(' › '),
      seconds: tests
        .flatMap(({ results }) => results)
        .reduce((sum, { duration }) => sum + duration / 1000, 0),
    })),
    ...inner.flatMap((group) => within(group, [...groups, group.title])),
  ];
  // The outermost are the files, whose titles are their paths.
  return suites.flatMap((suite) => within(suite, []));
}

/** A line for each of the slowest, the slowest first. */
export const slowestLines = (timed: Timed[], count: number): string[] =>
  timed
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, count)
    .map(({ file, what, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}  ${what}`);
