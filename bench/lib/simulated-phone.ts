// Simulates a phone: a processor four times slower than this machine's, and a 150 ms, 1.6 Mbps network (Lighthouse's slow 4G).
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import type { Session } from '@supabase/supabase-js';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../../testing/chromium.ts';
import { atEnd } from './at-end.ts';
import type { BaselineBrowser, BaselinePage } from './baseline-browser.ts';

declare global {
  interface Window {
    /** Measurements that the injected script collects; times are in milliseconds. */
    observations: {
      lcp: number;
      cls: number;
      tasks: [start: number, duration: number][];
      events: number[];
    };
  }
}

const SCREEN = { width: 390, height: 844 };
const LOCALE = 'en-IL';
const SLOWDOWN = 4;

const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6e6 / 8,
  uploadThroughput: 750e3 / 8,
};

export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: CHROMIUM_ARGUMENTS,
  });
  atEnd(() => browser.close());
  return browser;
}

export async function newContext(browser: Browser, session?: Session | null) {
  const context = await browser.newContext({ locale: LOCALE });
  if (session)
    await context.addInitScript((text) => {
      if (!localStorage.getItem('packpark-session')) localStorage.setItem('packpark-session', text);
    }, JSON.stringify(session));
  return context;
}

/** Injected before any script of the page. Records paints, layout shifts, long tasks and interactions in window.observations. */
function observe() {
  const observations: Window['observations'] = { lcp: 0, cls: 0, tasks: [], events: [] };
  window.observations = observations;
  interface Entry extends PerformanceEntry {
    hadRecentInput?: boolean;
    value?: number;
    interactionId?: number;
  }
  const follow = (type: string, each: (entry: Entry) => void, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({
      type,
      buffered: true,
      ...options,
    });
  follow('largest-contentful-paint', (entry) => (observations.lcp = entry.startTime));
  follow('layout-shift', (entry) => {
    if (!entry.hadRecentInput) observations.cls += entry.value ?? 0;
  });
  follow('longtask', (entry) => observations.tasks.push([entry.startTime, entry.duration]));
  follow('event', (entry) => entry.interactionId && observations.events.push(entry.duration), {
    durationThreshold: 16,
  });
}

/** Opens an observed Playwright page with a slow processor and a fast network, to measure the time after loading. */
export async function simulatedPhonePage(
  browser: Browser,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    viewport: SCREEN,
    locale: LOCALE,
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript(observe);
  return { context, page };
}

/** Injected into the page. Waits for `mark` or the load event, and returns its time in milliseconds of the page's clock. */
async function untilReady(mark: string | null) {
  await new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error(`no mark ${mark}`)), 60_000);
    if (!mark) {
      if (document.readyState === 'complete') resolve();
      else addEventListener('load', () => resolve());
      return;
    }
    new PerformanceObserver((list) => {
      if (list.getEntriesByName(mark).length > 0) resolve();
    }).observe({ type: 'mark', buffered: true });
  });
  return mark ? (performance.getEntriesByName(mark)[0]?.startTime ?? 0) : 0;
}

/** The measured values of a page: milliseconds, except `cls`, which is the layout shift score. */
export interface Figures {
  fcp: number;
  lcp: number;
  tbt: number;
  cls: number;
}

/** Runs in the page: waits 1.5 s, then returns its figures (in milliseconds, except `cls`). */
async function readFigures(): Promise<Figures> {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const fcp = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
  const { lcp, cls, tasks } = window.observations;
  const tbt = tasks
    .filter(([start]) => start >= fcp)
    .reduce((sum, [, duration]) => sum + duration - 50, 0);
  return { fcp, lcp, tbt, cls };
}

export interface SimulatedPhonePage extends BaselinePage {
  /** Opens a URL. Returns the milliseconds until the page was ready. */
  visit(url: string, mark?: string | null): Promise<number>;
  figures(): Promise<Figures>;
  goOffline(): Promise<void>;
}

/** Opens an observed page in a new context of a browser without Playwright, under the simulated conditions. */
export async function baselinePage(baselineBrowser: BaselineBrowser): Promise<SimulatedPhonePage> {
  const page = await baselineBrowser.openPage();
  await page.send('Page.enable');
  await page.send('Network.enable');
  await page.send('Network.emulateNetworkConditions', NETWORK);
  await page.send('Network.setExtraHTTPHeaders', { headers: { 'accept-language': LOCALE } });
  await page.send('Emulation.setLocaleOverride', { locale: LOCALE });
  await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await page.send('Emulation.setDeviceMetricsOverride', {
    ...SCREEN,
    deviceScaleFactor: 2,
    mobile: true,
  });
  await page.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${observe})()` });
  return {
    ...page,
    async visit(url: string, mark: string | null = null) {
      await page.send('Page.navigate', { url });
      return page.evaluate(`(${untilReady})(${JSON.stringify(mark)})`);
    },
    figures: () => page.evaluate(`(${readFigures})()`),
    goOffline: () => page.send('Network.emulateNetworkConditions', { ...NETWORK, offline: true }),
  };
}

/**
 * Visits `url` for the first time in a new context.
 * @param mark a performance mark that the page sets when it is ready; by default the load event is awaited
 */
export async function measureLoad(
  baselineBrowser: BaselineBrowser,
  url: string,
  mark: string | null = null,
): Promise<Figures & { ready: number }> {
  const page = await baselinePage(baselineBrowser);
  try {
    const ready = await page.visit(url, mark);
    return { ready, ...(await page.figures()) };
  } finally {
    await page.close();
  }
}
