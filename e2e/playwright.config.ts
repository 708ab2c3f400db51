// End-to-end tests: the real host, the real database, an installed Chromium.
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, ensureChromium, findHeadlessShell } from '../testing/chromium.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './support/global-setup.ts',
  fullyParallel: true,
  // Tests wait for the host, the database and the app's delays for half of the time, so two workers would leave cores idle.
  workers: 4,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  // Timeouts for tests that hang, not for slow ones: a busy machine takes long for everything.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  use: {
    locale: 'en-IL',
    timezoneId: 'Asia/Jerusalem',
    viewport: { width: 390, height: 844 },
    // Enabled by the tests in offline/ only, because it would hide requests from the tests.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findHeadlessShell() ?? ensureChromium(),
      // The shared page keeps its process and compiled code from one test to the next.
      args: [
        ...CHROMIUM_ARGUMENTS,
        '--process-per-site',
        // A new page would otherwise start a process for its empty document, which its first navigation then ends.
        '--renderer-process-limit=1',
        // Disable optimised compilation, because no page runs long enough to benefit from it.
        '--js-flags=--no-opt --no-maglev',
      ],
    },
    // Traces slow every test and are rarely used: E2E_TRACE=on keeps those of failed tests.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
  },
});
