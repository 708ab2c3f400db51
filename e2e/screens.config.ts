// `npm run screens`: pictures of every screen in three languages, two themes and two widths, kept in docs/screens/.
import { defineConfig } from '@playwright/test';
import journeys from './playwright.config.ts';

export default defineConfig({
  ...journeys,
  testMatch: 'screens.pictures.ts',
  timeout: 300_000,
  reporter: [['line']],
});
