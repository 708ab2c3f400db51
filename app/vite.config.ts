// Build configuration: file routes split into chunks, compiled catalogues, and no inline code that a strict CSP would block.
import path from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import type { CodeSplittingNameFunction } from 'rolldown';
import { defineConfig } from 'vite';
import manifest from '../package.json' with { type: 'json' };
import { catalogues } from './vite/catalogues.ts';
import { preloadHome } from './vite/preload-home.ts';
import { serviceWorker } from './vite/service-worker.ts';

/**
 * Modules and icons that the home map shares with other screens. They are one chunk, because each separate file costs a round trip.
 */
const HOME = [
  /lucide-react\/dist\/esm\/icons\/(list|locate-fixed|map-pin|map-pinned|minus|paw-print|plus|search)\.m?js/,
  /app\/src\/ui\/(button|offline-note|part-missing|skeleton|use-title)\./,
  /app\/src\/features\/places\/(use-location-need|use-place-search|components\/address-search)\./,
  /app\/src\/(entities\/parks\/park-live|features\/home\/(use-parks-state|components\/card-skeletons))\./,
  /app\/src\/features\/park-lists\/park-order\.ts/,
  /app\/src\/data\/functions\.ts/,
  /app\/src\/core\/once\./,
];

/** The query cache, which is read at the start of every later visit, before the map is ready. */
const QUERY_CACHE = /app\/src\/(offline\/query-cache\/query-cache|cache-rules)\./;

/** Everything that the home map shows besides tiles. Few files, because the tiles load at the same time. */
const CARDS = [
  'screens/home/strip.tsx',
  'screens/home/intro-card.tsx',
  'screens/home/filters.tsx',
  'screens/home/lost-dogs.tsx',
  'screens/home/clock-tool.tsx',
  'features/weather/components/weather-badge.tsx',
].map((file) => path.join(import.meta.dirname, 'src', file));

/** Modules that other screens share. They are one chunk, because otherwise a park's page would need thirty files. */
const COMMON = [
  /node_modules\/(lucide-react|valibot|@tanstack\/(query-core|react-query))\//,
  /app\/src\/(core|data|entities|platform|ui)\//,
  /(?<!screens)\/shared\/(opening-hours\/|verdict\/conditions\.|[\w-]+\.ts)/,
  /app\/src\/i18n\/(day-format|written-text)\./,
  /app\/src\/offline\/command-queue\/(?!queue\.)/,
  /app\/src\/features\/live-reports\/reported-when\./,
];

/**
 * Modules that only native apps use. They are one chunk, because its file is on the device. Its name excludes it from the service
 * worker's precache.
 */
const NATIVE = /node_modules\/(@capacitor|@aparajita|capacitor-[\w-]+)\//;

/** Modules shared by the park's sheet, its page and the queue of commands. They are one chunk, because a park's page needs most. */
const PARKS = [
  /app\/src\/features\/[\w-]+\/commands\/[\w-]+\.command\.ts/,
  /app\/src\/features\/(check-ins|consents|dogs|friendships|live-reports|lost-dogs|park-facts|park-invites|park-lists|park-pages|photos|reviews|verdicts|weather)\//,
  /app\/src\/screens\/(park\/|shared\/(location-picker|scene|verdict)\.)/,
  /\/shared\/verdict\//,
];

/** Modules shared by login, settings, notifications and the desk. */
const ACCOUNTS = /app\/src\/(features\/(auth|account|desk|notifications|users)|screens\/login)\//;

const isOneOf = (patterns: RegExp[]) => (id: string) => patterns.some((one) => one.test(id));

/** The files that match CARDS, and their imports. */
const cardsClosure = new Set<string>();

/** Puts modules that both the cards and other screens need into one chunk, so that other screens do not load the cards. */
const sharedWithCards: CodeSplittingNameFunction = (module, context) => {
  const add = (id: string) => {
    if (cardsClosure.has(id)) return;
    cardsClosure.add(id);
    context.getModuleInfo(id)?.importedIds.forEach(add);
  };
  if (cardsClosure.size === 0) CARDS.forEach(add);
  if (!cardsClosure.has(module)) return null;
  return isOneOf(COMMON)(module) ? 'base' : 'verdicts';
};

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
    preloadHome(),
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
            { name: 'query-cache', test: QUERY_CACHE },
            {
              name: sharedWithCards,
              debugName: 'shared with cards',
              test: isOneOf([...COMMON, ...PARKS]),
              minShareCount: 2,
            },
            { name: 'cards', test: (id) => CARDS.includes(id) },
            // This group precedes the vector map, because a group includes the imports of its files.
            { name: 'common', test: isOneOf(COMMON), minShareCount: 2 },
            { name: 'vector-map', test: /app\/src\/map\/vector\// },
            { name: 'accounts', test: ACCOUNTS, minShareCount: 2 },
            { name: 'parks-shared', test: isOneOf(PARKS), minShareCount: 2 },
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
