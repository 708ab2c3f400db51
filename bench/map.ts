// Benchmark: 100,000 parks on the map. Control: leaflet.markercluster with the same list in the same run.
import path from 'node:path';
import react from '@vitejs/plugin-react';
import type { Browser } from '@playwright/test';
import { build, preview, type Plugin } from 'vite';
import type { Result } from './goals.ts';
import { atEnd } from './lib/at-end.ts';
import { launchBrowser } from './lib/simulated-phone.ts';
import { ROOT } from './lib/server-code.ts';
import { mediansOf, repeat } from './lib/statistics.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

declare global {
  interface Window {
    ready?: boolean;
    draw(): Promise<number>;
    zoomTo(to: number): Promise<void>;
    markers(): number;
    longestTask(): number;
  }
}

const PARKS = 100_000;
const RUNS = 3;
/** Zoom levels from the whole country to the streets of the home map. */
const ZOOMS = [7, 9, 11, 13, 15, 16, 17];

/** Creates towns of different sizes between Haifa and Beer Sheva, the same in every run. */
function makeParks() {
  let seed = 20_251_101;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const towns = Array.from({ length: 60 }, () => ({
    lat: 31.2 + 1.7 * random(),
    long: 34.5 + 0.7 * random(),
    spread: 0.01 + 0.05 * random(),
  }));
  const largest = { lat: 32.09, long: 34.8, spread: 0.05 };
  towns[0] = largest;
  return Array.from({ length: PARKS }, (_, id) => {
    const town = towns[Math.floor(random() ** 2 * towns.length)] ?? largest;
    const off = () => (random() + random() + random() - 1.5) * town.spread;
    return {
      id: id + 1,
      name: `Dog park ${id + 1}`,
      city: 'Tel Aviv',
      address: `HaYarkon ${id % 300}`,
      location: {
        lat: Number((town.lat + off()).toFixed(5)),
        long: Number((town.long + off()).toFixed(5)),
      },
    };
  });
}

/** Serves a build and the list of parks. The list is served separately, because Vite would compress it again for each visit. */
async function servePage(folder: string) {
  const list = JSON.stringify(makeParks());
  const parks: Plugin = {
    name: 'parks',
    configurePreviewServer({ middlewares }) {
      middlewares.use('/storage/v1/object/public/parks/parks-en.json', (_, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(list);
      });
    },
  };
  const server = await preview({
    configFile: false,
    plugins: [parks],
    // Missing files get a 404 instead of the page.
    appType: 'mpa',
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0 },
  });
  atEnd(() => server.close());
  return server.resolvedUrls?.local[0] ?? '';
}

interface Visit {
  slowdown: number;
  interact: boolean;
}
type Figures = Record<'first' | 'longest' | 'nodes', number>;

/**
 * Visits the page once. Returns the time to the first markers, the longest task until then, and the largest number of marker nodes
 * over all zoom levels.
 */
async function visit(
  browser: Browser,
  url: string,
  { slowdown, interact }: Visit,
): Promise<Figures> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  if (slowdown > 1) {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  }
  await page.goto(url);
  await page.waitForFunction(() => window.ready);
  const first = await page.evaluate(() => window.draw());
  let nodes = await page.evaluate(() => window.markers());
  if (interact)
    for (const zoom of ZOOMS) {
      await page.evaluate((to) => window.zoomTo(to), zoom);
      nodes = Math.max(nodes, await page.evaluate(() => window.markers()));
    }
  // Browsers report a long task only after the next task.
  await page.waitForTimeout(500);
  const longest = await page.evaluate(() => window.longestTask());
  await page.close();
  return { first, longest, nodes };
}

export async function run(): Promise<Result | Result[]> {
  const folder = temporaryFolder();
  // Imported at run time by its path, because the app's configuration has separate TypeScript settings.
  const { catalogues } = (await import(path.join(ROOT, 'app/vite/catalogues.ts'))) as {
    catalogues(): Plugin;
  };
  await build({
    configFile: false,
    root: path.join(ROOT, 'bench/map-page'),
    logLevel: 'error',
    resolve: { alias: { '#': path.join(ROOT, 'app/src') } },
    plugins: [catalogues(), react()],
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'esnext', assetsInlineLimit: 0 },
  });
  const page = await servePage(folder);
  const browser = await launchBrowser();
  const visits = async (slowdown: number) =>
    mediansOf(
      await repeat(RUNS, () => visit(browser, `${page}?ours`, { slowdown, interact: true })),
    );
  const ours = await visits(1);
  const slow = await visits(4);
  const control = await visit(browser, `${page}?control`, { slowdown: 1, interact: false });
  const slowControl = await visit(browser, `${page}?control`, { slowdown: 4, interact: false });
  return [
    { goal: 'first clusters', figure: ours('first'), control: control.first },
    { goal: 'longest map task', figure: slow('longest'), control: slowControl.longest },
    { goal: 'marker nodes', figure: ours('nodes'), control: control.nodes },
  ];
}
