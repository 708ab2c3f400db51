// Build configuration: file routes split into chunks, compiled catalogues, and no inline code that a strict CSP would block.
import path from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import manifest from '../package.json' with { type: 'json' };
import { catalogues } from './vite/catalogues.ts';
import { serviceWorker } from './vite/service-worker.ts';

/**
 * Modules and icons that the home map shares with other screens. They are one chunk, because each separate file costs a round trip.
 */
const HOME = [
  /lucide-react\/dist\/esm\/icons\/(list|locate-fixed|map-pin|map-pinned|minus|paw-print|plus|search)\.m?js/,
  /app\/src\/ui\/(button|offline-note|part-missing|skeleton|use-title)\./,
  /app\/src\/features\/places\/(use-location-need|use-place-search|components\/address-search)\./,
  /app\/src\/entities\/parks\/park-live\.ts/,
  /app\/src\/features\/park-lists\/park-order\.ts/,
  /app\/src\/data\/functions\.ts/,
  /app\/src\/core\/once\./,
];

/** Modules that other screens share. They are one chunk, because otherwise a park's page would need thirty files. */
const COMMON = [
  /node_modules\/(lucide-react|@tanstack\/(query-core|react-query))\//,
  /app\/src\/(core|data|entities|platform|ui)\//,
  /(?<!screens)\/shared\/(opening-hours\/|[\w-]+\.ts)/,
  /app\/src\/i18n\/(day-format|written-text)\./,
  /app\/src\/offline\/(device-store\.|command-queue\/(?!queue\.))/,
  /app\/src\/features\/live-reports\/reported-when\./,
];

/**
 * Commands that can be queued, shared by screens and the queue. They are one chunk, because otherwise a park's page would need
 * eight files.
 */
const COMMANDS = /app\/src\/features\/[\w-]+\/commands\/[\w-]+\.command\.ts/;

/**
 * Modules that only native apps use. They are one chunk, because its file is on the device. Its name excludes it from the service
 * worker's precache.
 */
const NATIVE = /node_modules\/(@capacitor|@aparajita|capacitor-[\w-]+)\//;

/** Modules shared only by the tabs of a park's page. */
const TABS =
  /app\/src\/(screens\/park\/park-context|features\/live-reports\/(use-report-responses|components\/report-buttons)|features\/photos\/components\/photo-actions|features\/reviews\/queries\/my-review)\./;

/** Modules shared by park cards, the park's sheet and its page: verdict, rating, photo, facts. */
const PARKS = [
  /app\/src\/features\/(check-ins|consents|dogs|friendships|live-reports|park-facts|park-lists|park-pages|photos|reviews|verdicts|weather)\//,
  /app\/src\/screens\/shared\/(location-picker|scene|verdict)\./,
  /\/shared\/verdict\//,
];

const isOneOf = (patterns: RegExp[]) => (id: string) => patterns.some((one) => one.test(id));

export default defineConfig({
  root: import.meta.dirname,
  define: { 'import.meta.env.PACKPARK_VERSION': JSON.stringify(manifest.version) },
  resolve: {
    alias: {
      '#': path.join(import.meta.dirname, 'src'),
      // Use the library's sources, of which we need only a third: the published build cannot be tree-shaken.
      'protomaps-leaflet': path.join(
        import.meta.dirname,
        '../node_modules/protomaps-leaflet/src/index.ts',
      ),
      // The router's store imports a polyfill of a hook that React has had since version 18.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
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
    target: ['chrome111', 'safari16.4', 'firefox121'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { main: path.join(import.meta.dirname, 'index.html') },
      output: {
        // Catalogue chunks are prefixed with their language, which the service worker needs to know.
        chunkFileNames: ({ facadeModuleId }) =>
          `assets/${/languages\/(\w\w)\//.exec(facadeModuleId ?? '')?.[1]?.concat('.') ?? ''}[name]-[hash].js`,
        codeSplitting: {
          groups: [
            // The entry includes all its static imports: one request, and no wrong order of execution.
            { name: 'main', tags: ['$initial'] },
            // This group follows the entry. Otherwise the entry would import its helpers from this chunk.
            { name: 'native-plugins', test: NATIVE },
            { name: 'home', test: isOneOf(HOME) },
            { name: 'map', test: /node_modules\/leaflet\/|app\/src\/map\/map-view\.tsx/ },
            // This group precedes the vector map, because a group includes the imports of its files.
            { name: 'common', test: isOneOf(COMMON), minShareCount: 2 },
            { name: 'vector-map', test: /app\/src\/map\/vector\// },
            { name: 'commands', test: COMMANDS },
            { name: 'tabs', test: TABS, minShareCount: 2 },
            { name: 'parks-shared', test: isOneOf(PARKS), minShareCount: 3 },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      [
        '/rest',
        '/auth',
        '/storage',
        '/functions',
        '/config.json',
        '/map.pmtiles',
        '/open',
        '/calendar',
        '/embed',
        '/poster',
        '/inbox',
      ]
        .map((prefix) => [prefix, 'http://localhost:3000'])
        .concat([['/realtime', { target: 'http://localhost:3000', ws: true }] as never]),
    ),
  },
});
