// Goal 6: the first visit of a slow phone to the home map. Control: an empty page with one line of text on the same line.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBareBrowser, type BareBrowser } from './lib/bare-browser.ts';
import { startBenchHost } from './lib/bench-host.ts';
import { measureLoad } from './lib/lab.ts';
import { median, round } from './lib/statistics.ts';

const RUNS = 5;
type Name = 'fcp' | 'lcp' | 'ready' | 'tbt' | 'cls';
const LIMITS: Record<Name, number> = { fcp: 1200, lcp: 2600, ready: 2400, tbt: 200, cls: 0.02 };
const NAMES: Record<Name, string> = {
  fcp: 'first contentful paint',
  lcp: 'largest contentful paint',
  ready: 'map ready',
  tbt: 'total blocking time',
  cls: 'layout shift',
};

async function medians(browser: BareBrowser, url: string, mark?: string) {
  const runs: Record<Name, number>[] = [];
  for (let index = 0; index < RUNS; index++) runs.push(await measureLoad(browser, url, mark));
  return (name: Name) => median(runs.map((run) => run[name]));
}

export async function run() {
  const bare = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>control</title><p>A line of text</p>');
  });
  await new Promise((resolve) => bare.listen(0, '127.0.0.1', () => resolve(null)));
  const host = await startBenchHost();
  const browser = await openBareBrowser();
  try {
    const control = await medians(
      browser,
      `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`,
    );
    const home = await medians(browser, host.url, 'map-ready');
    return (Object.keys(LIMITS) as Name[]).map((name) => ({
      goal: 6,
      what: `${NAMES[name]}, median of ${RUNS}`,
      figure: round(home(name), name === 'cls' ? 4 : 0),
      unit: name === 'cls' ? 'score' : 'ms',
      control: 'an empty page',
      controlFigure: name === 'ready' ? undefined : round(control(name), name === 'cls' ? 4 : 0),
      ratio: name === 'fcp' || name === 'lcp' ? round(home(name) / control(name)) : undefined,
      pass: home(name) <= LIMITS[name],
    }));
  } finally {
    await browser.close();
    await host.stop();
    bare.close();
  }
}
