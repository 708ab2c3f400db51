// Files that the service worker precaches.
import { expect, test } from 'vitest';
import { filesToKeep } from './service-worker.ts';

test('all code and styles are precached, except languages, breeds and the vector map', () => {
  const names = [
    'assets/main-yY9cn3K5.js',
    'assets/main-CaA1mS5p.css',
    'assets/he.app.catalogue-DkIs0vgK.js',
    'assets/en.desk-CksDg67H.js',
    'assets/he.breeds-BG7iy25g.js',
    'assets/rubik-hebrew-BG7iy25g.woff2',
    'assets/vector-map-BG7iy25g.js',
    'assets/render-worker-BG7iy25g.js',
    'sw.js',
    'index.html',
  ];
  expect(filesToKeep(names)).toEqual(['/assets/main-CaA1mS5p.css', '/assets/main-yY9cn3K5.js']);
});
