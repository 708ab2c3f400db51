// Browser journeys: the real host, the real database, an installed Chromium.
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, ensureChromium, findHeadlessShell } from '../testing/chromium.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './support/global-setup.ts',
  fullyParallel: true,
  // Each waits for its host, its database and the app's own delays for half of the time: with two, two cores would idle.
  workers: 4,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  // Bounds for a machine that is busy with other things; nothing waits for them when it is not.
  timeout: 120_000,
  expect: { timeout: 40_000 },
  use: {
    locale: 'en-IL',
    timezoneId: 'Asia/Jerusalem',
    viewport: { width: 390, height: 844 },
    // Its own journeys switch it on (offline/): elsewhere it would hide requests from the tests.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    // A new context is a new process, which compiles the app anew: half of the time of a page. This one is cleaned instead.
    reuseContext: true,
    launchOptions: {
      executablePath: findHeadlessShell() ?? ensureChromium(),
      // The page that is shared keeps its process from one journey to the next, and the code that is compiled in it.
      args: [
        ...CHROMIUM_ARGUMENTS,
        '--process-per-site',
        // No page runs long enough to win back what optimising its code takes from the journeys beside it.
        '--js-flags=--no-opt --no-maglev',
      ],
    },
    // Recording costs every test, and few are looked at: E2E_TRACE=on keeps it for those that fail.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
  },
});
