// Benchmark: the site's own map on a slow phone. Control: raster tiles from a loopback server in the same run.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from '@playwright/test';
import type { Result } from './goals.ts';
import { DIST, kilobytes } from './lib/app-sizes.ts';
import { openBaselineBrowser } from './lib/baseline-browser.ts';
import { startBenchHost } from './lib/bench-host.ts';
import { startTiles } from './lib/tile-server.ts';
import { simulatedPhonePage, launchBrowser, measureLoad } from './lib/simulated-phone.ts';
import { mediansOf, repeat } from './lib/statistics.ts';

const VISITS = 5;
const PANS = 3;
/** The distance of one drag in pixels, and the number of its move events. */
const DRAG = { x: -260, y: -180, steps: 20 };
/** Files that only a site with a map file serves. */
const CODE = /^(?:render-worker|vector-map|offline-map|outlines|svg-overlay)-.*\.(?:js|css)$/;

/** Returns the time in milliseconds until the map is ready at a first visit: the median of several. */
async function mapReady(url: string): Promise<number> {
  const browser = await openBaselineBrowser();
  const visits = await repeat(VISITS, () => measureLoad(browser, url, 'map-ready'));
  await browser.close();
  return mediansOf(visits)('ready');
}

/**
 * Returns the longest task in milliseconds while a finger drags the map. Shorter tasks than 50 ms are not reported and count as 50.
 */
async function longestWhilePanning(browser: Browser, url: string, tile: string): Promise<number> {
  const { context, page } = await simulatedPhonePage(browser);
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('map-ready').length > 0);
  await page.locator(tile).nth(6).waitFor({ state: 'attached' });
  // Waits for code that loads after the map.
  await page.waitForTimeout(4000);
  const from = await page.evaluate(() => performance.now());
  for (let pan = 0; pan < PANS; pan++) {
    await page.mouse.move(330, 420);
    await page.mouse.down();
    for (let step = 1; step <= DRAG.steps; step++)
      await page.mouse.move(330 + (DRAG.x * step) / DRAG.steps, 420 + (DRAG.y * step) / DRAG.steps);
    await page.mouse.up();
    await page.waitForTimeout(1500);
  }
  const tasks = await page.evaluate(() => window.observations.tasks);
  await context.close();
  return Math.max(50, ...tasks.filter(([start]) => start >= from).map(([, duration]) => duration));
}

export async function run(): Promise<Result | Result[]> {
  const code = readdirSync(path.join(DIST, 'assets'))
    .filter((file) => CODE.test(file))
    .map((file) => `assets/${file}`);
  const TILE_URL = await startTiles();
  const control = await startBenchHost({ TILE_URL });
  const host = await startBenchHost({
    TILE_URL,
    MAP_FILE: path.resolve(import.meta.dirname, '../supabase/seed/map.pmtiles'),
  });
  const browser = await launchBrowser();
  const raster = {
    ready: await mapReady(control.url),
    task: await longestWhilePanning(browser, control.url, 'img.leaflet-tile-loaded'),
  };
  const drawn = {
    ready: await mapReady(host.url),
    task: await longestWhilePanning(browser, host.url, 'canvas.leaflet-tile-loaded'),
  };
  return [
    { goal: 'own map script', figure: kilobytes(code) },
    { goal: 'own map ready', figure: drawn.ready, control: raster.ready },
    { goal: 'own map task', figure: drawn.task, control: raster.task },
  ];
}
