// Unit and server tests; Playwright runs the browser tests (e2e/).
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = import.meta.dirname;

// Timeouts for tests that hang, not for slow ones: a busy machine takes long for everything.
const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 20_000 } },
};

/** Runs files with CLI commands first: they take longest, and at the end they would run alone. */
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
/** App tests that stub browser globals share no modules with other files. */
const withBrowser = readdirSync(path.join(root, 'app/src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => `app/src/${file}`)
  .filter((file) => /\bstubGlobal\(|OnNode\b/.test(readFileSync(path.join(root, file), 'utf8')));

export default defineConfig({
  test: {
    sequence: { sequencer: CommandsFirst },
    // Vitest leaves one core free, which is half of two. Tests that start hosts and commands are idle for half of their time, so
    // three workers would leave two cores idle.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    teardownTimeout: 60_000,
    projects: [
      {
        resolve: { alias: appAlias },
        test: {
          ...patience,
          name: 'app rules',
          include: ['app/{src,vite}/**/*.test.{ts,tsx}', 'shared/**/*.test.ts'],
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
          // A thread with separate modules and globals costs less than a process.
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
        // Too slow for `npm test`; run with `npm run test:by-hand`.
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
            // Tests of this project import modules of both the server and the app, whose paths all start with `#/`.
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
          // Each file has a separate database and host and modifies no module. Reloading the host for each file took a third of the
          // time.
          isolate: false,
        },
      },
    ],
  },
});
