// Goals 1 to 5: how many bytes the built app costs, brotli 11, per closure of chunks. Control: the whole app in one download.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { appSizes, DIST, kilobytes, type RouteSize } from './lib/app-sizes.ts';
import { startBenchHost } from './lib/bench-host.ts';
import { launchBrowser } from './lib/lab.ts';
import { ownBytes } from './lib/own-bytes.ts';
import { round } from './lib/statistics.ts';

const I18N = ['i18n', 'isolate', 'languages', 'message-runtime'].map((name) => `i18n/${name}.ts`);

/** The scripts and styles that a browser really asked for until the map was usable. */
async function downloadsUntilMap(url: string) {
  const browser = await launchBrowser();
  const page = await browser.newPage({ locale: 'en-IL', viewport: { width: 390, height: 844 } });
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('map-ready').length > 0);
  // By the page's own clock: what begins at the mark (the official client, the badge) is not needed for it.
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

export async function run() {
  const { manifest, entrySize, others } = appSizes();
  const everything = readdirSync(path.join(DIST, 'assets'))
    .filter((file) => file.endsWith('.js'))
    .map((file) => `assets/${file}`);
  const whole = kilobytes(everything);
  const catalogues = new Set(
    Object.entries(manifest)
      .filter(([key]) => key.includes('i18n/messages/'))
      .map(([, chunk]) => chunk.file),
  );

  const host = await startBenchHost();
  const { files, blockingFonts } = await downloadsUntilMap(host.url).finally(host.stop);
  const scripts = files.filter((file) => file.endsWith('.js'));
  const styles = files.filter((file) => file.endsWith('.css'));

  const heaviest = [...others].sort((a, b) => b.size - a.size)[0];
  const nameOf = (route: RouteSize | undefined) =>
    route?.key.replace(/.*routes\//, '').replace(/\?.*/, '');
  const chart = await ownBytes(['features/parks/components/busy-hours-chart.tsx']);
  const runtime = await ownBytes(I18N, ['@messageformat/runtime']);
  const control = { control: 'all JavaScript of the app', controlFigure: whole };
  const row = (goal: number, what: string, figure: number, unit: string, limit: number) => ({
    goal,
    what,
    figure,
    unit,
    ...control,
    ratio: round(figure / whole),
    pass: figure <= limit,
  });

  return [
    row(1, 'JavaScript until the home map is usable, logged out', kilobytes(scripts), 'KB', 165),
    row(2, 'entry closure', entrySize, 'KB', 115),
    row(
      2,
      `largest own chunk of another route (${nameOf(others[0])})`,
      others[0]?.own ?? 0,
      'KB',
      20,
    ),
    {
      goal: 2,
      what: `largest other route with the chunks it shares (${nameOf(heaviest)})`,
      figure: heaviest?.size ?? 0,
      unit: 'KB',
      ...control,
      ratio: round((heaviest?.size ?? 0) / whole),
    },
    row(3, 'i18n runtime', round(runtime / 1000), 'KB', 3.5),
    {
      goal: 3,
      what: 'catalogues downloaded',
      figure: scripts.filter((file) => catalogues.has(file)).length,
      unit: 'files',
      control: 'languages',
      controlFigure: 3,
      pass: scripts.filter((file) => catalogues.has(file)).length === 1,
    },
    row(4, 'CSS on the home map', kilobytes(styles), 'KB', 12),
    {
      goal: 4,
      what: 'fonts that block',
      figure: blockingFonts,
      unit: 'files',
      pass: blockingFonts === 0,
    },
    row(5, 'busy-hours chart, script and styles', round(chart / 1000), 'KB', 2),
  ];
}
