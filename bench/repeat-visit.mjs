// Goal 6 for those who come back: the map on the same slow phone from what the service worker kept, with and without a network. Control: the first visit.
import { startBenchHost } from './lib/bench-host.mjs';
import { labPage, launchBrowser } from './lib/lab.mjs';
import { median, round } from './lib/statistics.mjs';

const RUNS = 5;
const LIMIT_MS = 1000;

async function mapReady(page, url) {
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('map-ready').length > 0, null, {
    timeout: 60_000,
  });
  return page.evaluate(() => performance.getEntriesByName('map-ready')[0].startTime);
}

/** The worker stands and has all that an offline start needs. */
async function waitUntilKept(page) {
  await page.waitForFunction(
    async () => {
      if (!navigator.serviceWorker.controller) return false;
      const names = await caches.keys();
      const held = await Promise.all(
        names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
      );
      const urls = held.flat().join(' ');
      return /en\.catalogue-/.test(urls) && /parks-en\.json/.test(urls);
    },
    null,
    { timeout: 120_000, polling: 500 },
  );
}

async function repeated(page, url) {
  const times = [];
  for (let index = 0; index < RUNS; index++) {
    await page.goto('about:blank');
    times.push(await mapReady(page, url));
  }
  return median(times);
}

export async function run() {
  const host = await startBenchHost();
  const browser = await launchBrowser();
  try {
    const { context, page } = await labPage(browser);
    const first = await mapReady(page, host.url);
    await waitUntilKept(page);
    const online = await repeated(page, host.url);
    await context.setOffline(true);
    const offline = await repeated(page, host.url);
    const row = (what, figure) => ({
      goal: 6,
      what: `map ready on a repeat visit, ${what}, median of ${RUNS}`,
      figure: round(figure, 0),
      unit: 'ms',
      control: 'the first visit',
      controlFigure: round(first, 0),
      ratio: round(figure / first),
      pass: figure <= LIMIT_MS,
    });
    return [row('online', online), row('without a network', offline)];
  } finally {
    await browser.close();
    await host.stop();
  }
}
