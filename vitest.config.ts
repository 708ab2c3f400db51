// Unit and server tests; browser journeys are Playwright's (e2e/).
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;

export default defineConfig({
  test: {
    // Vitest leaves one core to itself; of two that is half of the time, and most tests wait for PostgreSQL anyway.
    maxWorkers: Math.max(2, availableParallelism() - 1),
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
