// How the app is built: file routes split into chunks, catalogues compiled, nothing inlined that a strict CSP would refuse.
import path from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { catalogues } from './vite/catalogues.ts';
import { serviceWorker } from './vite/service-worker.ts';

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
