// Measures the download size of the built app (brotli 11) for each set of chunks that is loaded together. Control: the whole app in
// one download.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Result } from './goals.ts';
import { appSizes, DIST, kilobytes, type RouteSize } from './lib/app-sizes.ts';
import { startBenchHost } from './lib/bench-host.ts';
import { launchBrowser } from './lib/simulated-phone.ts';
import { bundleSize } from './lib/bundle-size.ts';

const I18N = ['i18n', 'isolate', 'languages', 'message-runtime'].map((name) => `i18n/${name}.ts`);

/** Returns the scripts and styles that a browser requests until the map is usable. */
async function downloadsUntilMap(url: string) {
  const browser = await launchBrowser();
  const page = await browser.newPage({ locale: 'en-IL', viewport: { width: 390, height: 844 } });
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('map-ready').length > 0);
  // Counts only requests that start before the page sets the mark `map-ready`, because the map does not need later ones (the
  // official client, the badge).
  const files = await page.evaluate(() => {
    const ready = performance.getEntriesByName('map-ready')[0]?.startTime ?? 0;
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < ready)
      .map(({ name }) => new URL(name).pathname.slice(1))
      .filter((file) => file.startsWith('assets/'));
  });
  const blockingFonts = await page.evaluate(
    () => document.querySelectorAll('link[rel=preload][as=font]').length,
  );
  await browser.close();
  return { files: [...new Set(files)], blockingFonts };
}

export async function run(): Promise<Result | Result[]> {
  const { manifest, entrySize, others } = appSizes();
  const everything = readdirSync(path.join(DIST, 'assets'))
    .filter((file) => file.endsWith('.js'))
    .map((file) => `assets/${file}`);
  const whole = kilobytes(everything);
  const catalogues = new Set(
    Object.entries(manifest)
      .filter(([key]) => /languages\/..\/app\./.test(key))
      .map(([, chunk]) => chunk.file),
  );

  const host = await startBenchHost();
  const { files, blockingFonts } = await downloadsUntilMap(host.url);
  const scripts = files.filter((file) => file.endsWith('.js'));
  const styles = files.filter((file) => file.endsWith('.css'));

  const heaviest = [...others].sort((a, b) => b.size - a.size)[0];
  const nameOf = (route: RouteSize | undefined) =>
    route?.key.replace(/.*routes\//, '').replace(/\?.*/, '');
  const chart = await bundleSize(['features/verdicts/components/busy-hours-card.tsx']);
  const clock = await bundleSize(['features/verdicts/components/paw-clock.tsx']);
  const runtime = await bundleSize(I18N, ['@messageformat/runtime']);

  const size = (goal: Result['goal'], figure: number, of?: string): Result => ({
    goal,
    figure,
    control: whole,
    ...(of && { of }),
  });
  return [
    size('home script', kilobytes(scripts)),
    size('entry script', entrySize),
    size('route script', others[0]?.own ?? 0, nameOf(others[0])),
    size('route closure', heaviest?.size ?? 0, nameOf(heaviest)),
    size('i18n script', runtime / 1000),
    {
      goal: 'catalogues',
      figure: scripts.filter((file) => catalogues.has(file)).length,
      control: catalogues.size,
    },
    size('home styles', kilobytes(styles)),
    { goal: 'blocking fonts', figure: blockingFonts },
    size('busy hours script', chart / 1000),
    size('paw clock script', clock / 1000),
  ];
}
