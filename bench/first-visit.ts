// Benchmark: the first visit of a slow phone to the home map. Control: an empty page with one line of text over the same
// connection.
import type { Result } from './goals.ts';
import { openBaselineBrowser, type BaselineBrowser } from './lib/baseline-browser.ts';
import { serveBaseline } from './lib/baseline-server.ts';
import { startBenchHost } from './lib/bench-host.ts';
import { startTiles } from './lib/tile-server.ts';
import { measureLoad } from './lib/simulated-phone.ts';
import { mediansOf, repeat } from './lib/statistics.ts';

const RUNS = 5;
const GOALS = {
  fcp: 'first paint',
  lcp: 'largest paint',
  ready: 'map ready',
  tbt: 'blocking time',
  cls: 'layout shift',
} as const;

const medians = async (browser: BaselineBrowser, url: string, mark?: string) =>
  mediansOf(await repeat(RUNS, () => measureLoad(browser, url, mark)));

export async function run(): Promise<Result | Result[]> {
  const page = '<!doctype html><title>control</title><p>A line of text</p>';
  const baseline = await serveBaseline({ 'content-type': 'text/html' }, page);
  const host = await startBenchHost({ TILE_URL: await startTiles() });
  const browser = await openBaselineBrowser();
  const control = await medians(browser, baseline);
  const home = await medians(browser, host.url, 'map-ready');
  return (Object.keys(GOALS) as (keyof typeof GOALS)[]).map((name) => ({
    goal: GOALS[name],
    figure: home(name),
    // The empty page has no map, and its blocking time and layout shift are 0, so only FCP and LCP have a control.
    ...((name === 'fcp' || name === 'lcp') && { control: control(name) }),
  }));
}
