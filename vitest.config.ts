// Unit and server tests; browser journeys are Playwright's (e2e/).
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = import.meta.dirname;

// Bounds against what hangs, not measures of what is fast: a machine that is busy with other things takes long for everything.
const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 20_000 } },
};

/** Files that run commands take longest: one that began last would run alone. */
class CommandsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const runsCommands = ({ moduleId }: TestSpecification) =>
      /\b(startCli|runCli|spawn|execFileSync)\(/.test(readFileSync(moduleId, 'utf8'));
    return sorted
      .map((file) => ({ file, first: runsCommands(file) }))
      .toSorted((one, other) => Number(other.first) - Number(one.first))
      .map(({ file }) => file);
  }
}

const appAlias = { '#': path.join(root, 'app/src') };
/** Tests of the app that stand in for a browser's globals: they share no module with another file. */
const withBrowser = readdirSync(path.join(root, 'app/src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => `app/src/${file}`)
  .filter((file) => /\bstubGlobal\(|OnNode\b/.test(readFileSync(path.join(root, file), 'utf8')));

export default defineConfig({
  test: {
    sequence: { sequencer: CommandsFirst },
    // Vitest leaves one core to itself; of two that is half of the time. Files that start hosts and commands have the processor
    // for half of theirs: with three workers two cores would idle.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    teardownTimeout: 60_000,
    projects: [
      {
        resolve: { alias: appAlias },
        test: {
          ...patience,
          name: 'app rules',
          include: ['app/{src,vite}/**/*.test.{ts,tsx}'],
          exclude: withBrowser,
          setupFiles: ['app/testing/english-texts.ts'],
          environment: 'node',
          pool: 'threads',
          isolate: false,
        },
      },
      {
        resolve: { alias: appAlias },
        test: {
          ...patience,
          name: 'app',
          include: withBrowser,
          setupFiles: ['app/testing/own-channels.ts', 'app/testing/english-texts.ts'],
          environment: 'node',
          // A thread for modules and globals of its own costs less than a process.
          pool: 'threads',
        },
      },
      {
        test: {
          ...patience,
          name: 'scripts',
          include: ['scripts/**/*.test.ts', 'bench/*.test.ts'],
          environment: 'node',
        },
      },
      {
        // Too long for `npm test`: `npm run test:by-hand` runs them.
        test: {
          ...patience,
          name: 'by-hand',
          include: ['bench/by-hand/*.test.ts'],
          fileParallelism: false,
          environment: 'node',
        },
      },
      {
        resolve: {
          alias: [
            // Tests with a database also import the app's commands, to compare what devices show with what the database has.
            {
              find: /^#(?=\/(?:host|product|cli|main\.ts))/,
              replacement: path.join(root, 'server/src'),
            },
            { find: '#', replacement: path.join(root, 'app/src') },
          ],
        },
        test: {
          ...patience,
          name: 'server',
          include: ['{server,supabase,testing}/**/*.test.ts'],
          globalSetup: ['testing/global-setup.ts'],
          environment: 'node',
          // Each file has a database and a host of its own and changes no module: loading the host anew for each of them
          // cost a third of the time.
          isolate: false,
        },
      },
    ],
  },
});
