// How the app is built: file routes split into chunks, catalogues compiled, nothing inlined that a strict CSP would refuse.
import path from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import manifest from '../package.json' with { type: 'json' };
import { catalogues } from './vite/catalogues.ts';
import { serviceWorker } from './vite/service-worker.ts';

/** What the home map shares with other screens, the icons among it: together, for each file of its own costs a round trip. */
const HOME = [
  /lucide-react\/dist\/esm\/icons\/(list|locate-fixed|map-pin|map-pinned|minus|paw-print|plus|search)\.m?js/,
  /app\/src\/ui\/(permission-card|button|offline-note|part-missing|skeleton|use-title)\./,
  /app\/src\/features\/places\/(use-location-need|use-place-search|components\/address-search)\./,
  /app\/src\/entities\/parks\/park-live\.ts/,
  /app\/src\/features\/park-lists\/park-order\.ts/,
  /app\/src\/data\/functions\.ts/,
  /app\/src\/core\/once\./,
];

/** What other screens share, but for what is fetched by itself when it is wanted: of such files a park's page would need thirty. */
const COMMON = [
  /node_modules\/(lucide-react|@tanstack\/(query-core|react-query))\//,
  /app\/src\/(core|data|entities|platform|ui)\//,
  /app\/src\/i18n\/(day-format|written-text)\./,
  /app\/src\/offline\/(device-store\.|command-queue\/(?!queue\.))/,
];

/** The commands that can be queued: screens and the queue share them, and a park's page would need eight files of its own. */
const COMMANDS = /app\/src\/features\/[\w-]+\/commands\/[\w-]+\.command\.ts/;

/** What only a shell loads; one file, for it lies on the device already. Its name keeps the web's service worker from fetching it. */
const NATIVE = /node_modules\/(@capacitor|@aparajita|capacitor-[\w-]+)\//;

/** What only the tabs of a park's page share. */
const TABS =
  /app\/src\/(screens\/park\/park-context|features\/live-reports\/(use-report-answers|components\/report-answer-buttons)|features\/photos\/components\/photo-actions|features\/reviews\/queries\/my-review)\./;

/** What cards of parks, the park's sheet and its page share: the verdict and what it rests on, rating, photo, facts. */
const PARKS = [
  /app\/src\/features\/(check-ins|consents|dogs|friendships|live-reports|park-facts|park-lists|park-pages|photos|reviews|verdicts|weather)\//,
  /app\/src\/screens\/shared\/(location-picker|scene|verdict)\./,
];

const isOneOf = (patterns: RegExp[]) => (id: string) => patterns.some((one) => one.test(id));

export default defineConfig({
  root: import.meta.dirname,
  define: { 'import.meta.env.PACKPARK_VERSION': JSON.stringify(manifest.version) },
  resolve: {
    alias: {
      '#': path.join(import.meta.dirname, 'src'),
      // Its built file names each class by a call, so that nothing of it could be left out: from its sources we take a third.
      'protomaps-leaflet': path.join(
        import.meta.dirname,
        '../node_modules/protomaps-leaflet/src/index.ts',
      ),
      // The router's store asks for a substitute of a hook that React has had since version 18.
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
        // Texts by their language, so that the service worker can tell them apart.
        chunkFileNames: ({ facadeModuleId }) =>
          `assets/${/languages\/(\w\w)\//.exec(facadeModuleId ?? '')?.[1]?.concat('.') ?? ''}[name]-[hash].js`,
        codeSplitting: {
          groups: [
            // Whatever the entry imports is in the entry: one request, and nothing that could start in the wrong order.
            { name: 'main', tags: ['$initial'] },
            // After the entry, which otherwise would have to fetch its helpers from here.
            { name: 'native-plugins', test: NATIVE },
            { name: 'home', test: isOneOf(HOME) },
            { name: 'map', test: /node_modules\/leaflet\/|app\/src\/map\/map-view\.tsx/ },
            // Before the drawn map: a group takes along what its files import.
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
