// Unit and server tests; browser journeys are Playwright's (e2e/).
import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: { '#': path.join(root, 'app/src') } },
        test: { name: 'app', include: ['app/{src,vite}/**/*.test.{ts,tsx}'], environment: 'node' },
      },
      {
        test: { name: 'scripts', include: ['scripts/**/*.test.mjs'], environment: 'node' },
      },
      {
        resolve: { alias: { '#': path.join(root, 'server/src') } },
        test: {
          name: 'server',
          include: ['{server,supabase}/**/*.test.ts'],
          globalSetup: ['server/testing/global-setup.ts'],
          environment: 'node',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
