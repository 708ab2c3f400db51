// Benchmark: the map of a returning visitor on the same slow phone, from the service worker's cache, with and without a network.
// Control: the first visit.
import type { Result } from './goals.ts';
import { openBaselineBrowser } from './lib/baseline-browser.ts';
import { startBenchHost } from './lib/bench-host.ts';
import { startTiles } from './lib/tile-server.ts';
import { baselinePage, type SimulatedPhonePage } from './lib/simulated-phone.ts';
import { median, repeat } from './lib/statistics.ts';

const RUNS = 5;

/** Injected into the page. Waits until the service worker is active and has cached all that an offline start needs. */
async function untilCached() {
  const isCached = async () => {
    if (!navigator.serviceWorker.controller) return false;
    const names = await caches.keys();
    const addresses = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    );
    const urls = addresses.flat().join(' ');
    return /en\.app\.catalogue-/.test(urls) && /parks-en\.json/.test(urls);
  };
  for (let tries = 0; !(await isCached()); tries += 1) {
    if (tries === 240) throw new Error('The worker does not stand');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function repeated(page: SimulatedPhonePage, url: string) {
  const times = await repeat(RUNS, async () => {
    await page.visit('about:blank');
    return page.visit(url, 'map-ready');
  });
  return median(times);
}

export async function run(): Promise<Result | Result[]> {
  const host = await startBenchHost({ TILE_URL: await startTiles() });
  const browser = await openBaselineBrowser();
  const page = await baselinePage(browser);
  const first = await page.visit(host.url, 'map-ready');
  await page.evaluate(`(${untilCached})()`);
  const online = await repeated(page, host.url);
  await page.goOffline();
  const offline = await repeated(page, host.url);
  return [
    { goal: 'repeat visit', figure: online, control: first },
    { goal: 'repeat visit offline', figure: offline, control: first },
  ];
}
