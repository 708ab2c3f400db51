// Benchmark: the time until a tap takes effect (INP) on a phone that is four times slower. Control: a plain button that changes one
// text.
import type { Browser, Page } from '@playwright/test';
import type { Result } from './goals.ts';
import { serveBaseline } from './lib/baseline-server.ts';
import { startBenchHost } from './lib/bench-host.ts';
import { simulatedPhonePage, launchBrowser } from './lib/simulated-phone.ts';
import { startTiles } from './lib/tile-server.ts';
import { median, repeat } from './lib/statistics.ts';

const VISITS = 5;

/** Returns the longest event of one interaction in milliseconds. Browsers do not report less than 16. */
async function measure(page: Page, act: () => Promise<unknown>) {
  await page.waitForTimeout(1000);
  await page.evaluate(() => (window.observations.events.length = 0));
  await act();
  await page.waitForTimeout(1500);
  return page.evaluate(() => Math.max(16, ...window.observations.events));
}

async function baselineButton(browser: Browser) {
  const baseline = await serveBaseline(
    { 'content-type': 'text/html' },
    '<!doctype html><title>control</title><button onclick="this.textContent=Date.now()">tap</button>',
  );
  const { context, page } = await simulatedPhonePage(browser);
  await page.goto(baseline);
  const figure = await measure(page, () => page.tap('button'));
  await context.close();
  return figure;
}

/** Returns the milliseconds of each interaction in a new browser. */
async function interact(browser: Browser, url: string) {
  const { context, page } = await simulatedPhonePage(browser);
  const figures: Partial<Record<Result['goal'], number>> = {};

  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('map-ready').length > 0);
  const marker = page.locator('.leaflet-marker-pane button').first();
  figures['open popup'] = await measure(page, () => marker.tap({ force: true }));

  await page.goto(url);
  await page.getByRole('button', { name: 'Not now' }).tap();
  await page.getByRole('button', { name: 'Weather by the hour' }).tap();
  const clock = page.getByRole('slider', { name: 'Hour' });
  await clock.waitFor();
  const { x = 0, y = 0, width = 0, height = 0 } = (await clock.boundingBox()) ?? {};
  figures['drag paw clock'] = await measure(page, async () => {
    await page.mouse.move(x + width * 0.9, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height * 0.1, { steps: 8 });
    await page.mouse.up();
  });

  await page.goto(`${url}/parks/1`);
  const tab = page.getByRole('link', { name: 'Reviews' });
  await tab.waitFor();
  figures['switch tab'] = await measure(page, () => tab.tap());

  await page.getByRole('button', { name: 'More', exact: true }).tap();
  await page.getByText('Language', { exact: true }).tap();
  figures['switch language'] = await measure(page, () => page.getByText('עברית').tap());

  await page.goto(`${url}/parks`);
  const row = page.locator('main li a').first();
  await row.waitFor();
  figures['tap row'] = await measure(page, () => row.tap());

  await context.close();
  return figures;
}

export async function run(): Promise<Result | Result[]> {
  const host = await startBenchHost({ TILE_URL: await startTiles() });
  const browser = await launchBrowser();
  const control = await baselineButton(browser);
  const visits = await repeat(VISITS, () => interact(browser, host.url));
  return (Object.keys(visits[0] ?? {}) as Result['goal'][]).map((goal) => ({
    goal,
    figure: median(visits.map((each) => each[goal] ?? Number.NaN)),
    control,
  }));
}
