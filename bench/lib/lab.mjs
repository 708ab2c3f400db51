// The lab: a phone four times slower than this machine on a 150 ms, 1.6 Mbps line (Lighthouse's slow 4G), for goals 6 and 7.
import { chromium } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../../scripts/chromium.mjs';

const LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6e6 / 8,
  uploadThroughput: 750e3 / 8,
};

export function launchBrowser() {
  return chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGUMENTS });
}

/**
 * A fresh context and page under the lab's conditions, observing paints, shifts, long tasks and interactions.
 * @param options {slowLine: boolean} false keeps the network fast, for what happens after loading
 */
export async function labPage(browser, { slowLine = true } = {}) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en-IL',
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  if (slowLine) {
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', LINE);
  }
  await page.addInitScript(() => {
    const lab = { lcp: 0, cls: 0, tasks: [], events: [] };
    window.lab = lab;
    const observe = (type, each, options = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({
        type,
        buffered: true,
        ...options,
      });
    observe('largest-contentful-paint', (entry) => (lab.lcp = entry.startTime));
    observe('layout-shift', (entry) => {
      if (!entry.hadRecentInput) lab.cls += entry.value;
    });
    observe('longtask', (entry) => lab.tasks.push([entry.startTime, entry.duration]));
    observe('event', (entry) => entry.interactionId && lab.events.push(entry.duration), {
      durationThreshold: 16,
    });
  });
  return { context, page };
}

/** Waits without Playwright's own scripts in the page: injecting them is a long task on a slow phone, and would be counted. */
async function waitForMark(page, mark) {
  const session = await page.context().newCDPSession(page);
  const name = JSON.stringify(mark);
  await session.send('Runtime.evaluate', {
    awaitPromise: true,
    expression: `new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error('no mark ' + ${name})), 60_000);
      new PerformanceObserver((list) => {
        if (list.getEntriesByName(${name}).length > 0) resolve(true);
      }).observe({ type: 'mark', buffered: true });
    })`,
  });
}

/** Loads `url`, waits for `mark` (or the load event) and a quiet second, and reads what was observed; milliseconds. */
export async function measureLoad(browser, url, mark) {
  const { context, page } = await labPage(browser);
  await page.goto(url, { waitUntil: 'load' });
  if (mark) await waitForMark(page, mark);
  await page.waitForTimeout(1500);
  const figures = await page.evaluate((name) => {
    const fcp = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    const ready = name ? performance.getEntriesByName(name)[0].startTime : 0;
    const blocking = window.lab.tasks
      .filter(([start]) => start >= fcp)
      .reduce((sum, [, duration]) => sum + duration - 50, 0);
    return { fcp, lcp: window.lab.lcp, ready, tbt: blocking, cls: window.lab.cls };
  }, mark);
  await context.close();
  return figures;
}
