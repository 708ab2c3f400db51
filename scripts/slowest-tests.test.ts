// The list that `npm test` ends with when it took too long: files and journeys in one order.
import { expect, test } from 'vitest';
import { slowestLines, timePlaywright, timeVitest } from './slowest-tests.ts';

test('the slowest of both runners come first, journeys with the groups around them', () => {
  const units = timeVitest(
    {
      testResults: [
        {
          name: '/checkout/server/src/cli/backup.test.ts',
          startTime: 1_000_000,
          endTime: 1_012_340,
          assertionResults: [{}, {}],
        },
      ],
    },
    '/checkout',
  );
  const lasting = (title: string, ...durations: number[]) => ({
    title,
    tests: [{ results: durations.map((duration) => ({ duration })) }],
  });
  const file = 'journeys/home.spec.ts';
  const journeys = timePlaywright(
    {
      suites: [
        {
          title: file,
          file,
          specs: [lasting('turning the device', 900)],
          suites: [{ title: 'in Hebrew', file, specs: [lasting('shows a park', 20_000, 30_000)] }],
        },
      ],
    },
    'e2e',
  );
  expect(slowestLines([...units, ...journeys], 3)).toEqual([
    '  50.0 s  e2e/journeys/home.spec.ts  in Hebrew › shows a park',
    '  12.3 s  server/src/cli/backup.test.ts  2 tests',
    '   0.9 s  e2e/journeys/home.spec.ts  turning the device',
  ]);
});
