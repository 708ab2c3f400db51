// How the app is built: file routes split into chunks, catalogues compiled, nothing inlined that a strict CSP would refuse.
import path from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { catalogues } from './vite/catalogues.ts';
import { serviceWorker } from './vite/service-worker.ts';

/** What every screen stands on: these packages whole, of the query cache what a first screen uses, and our own foundation. */
const BASE = [
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//,
  /node_modules\/@tanstack\/(history|store|react-store|router-core|react-router)\//,
  /@tanstack\/query-core\/build\/modern\/(?!(infiniteQuery|queries|mutation)Observer|hydration)/,
  /@tanstack\/react-query\/build\/modern\/(?!use(Infinite|Suspense|Queries|Mutation))/,
  /app\/src\/i18n\/(i18n|languages)\.ts/,
  /app\/src\/lib\/(config|errors|local-settings|park-keys|people-keys|query-client|session|session-rules|stale|stored-session|supabase)\.ts/,
  /app\/src\/platform\/(native|lifecycle)\.ts/,
  /app\/src\/ui\/(button|class-names|icon|icon-button|sheet|toast|top-layer|use-modal)\.tsx?/,
];

/** What only a shell loads; one file, for it lies on the device already. Its name keeps the web's service worker from fetching it. */
const NATIVE = /node_modules\/(@capacitor|@aparajita|capacitor-[\w-]+)\//;

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: { '#': path.join(import.meta.dirname, 'src') } },
  plugins: [
    catalogues(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: './src/routes',
      generatedRouteTree: './src/route-tree.gen.ts',
      quoteStyle: 'single',
    }),
    react(),
    serviceWorker(),
  ],
  build: {
    target: ['chrome111', 'safari16.4', 'firefox114'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              // In one file, with all that it imports: on a slow line each further file costs a round trip, and two that import each
              // other would start in the wrong order.
              name: 'base',
              test: (id) => BASE.some((pattern) => pattern.test(id)),
            },
            // After the base, which otherwise would have to fetch its helpers from here.
            { name: 'native-plugins', test: NATIVE },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/rest', '/auth', '/storage', '/functions', '/config.json', '/inbox']
        .map((prefix) => [prefix, 'http://localhost:3000'])
        .concat([['/realtime', { target: 'http://localhost:3000', ws: true }] as never]),
    ),
  },
});
