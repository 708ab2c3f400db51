// `npm run screens`: screenshots of every screen in three languages, two themes and two widths.
import { defineConfig } from '@playwright/test';
import e2e from '../playwright.config.ts';

export default defineConfig({
  ...e2e,
  testDir: '.',
  testMatch: ['pictures.ts', 'own-map.ts'],
  outputDir: '../../test-results',
  globalSetup: '../support/global-setup.ts',
  timeout: 300_000,
  reporter: [['line']],
});
