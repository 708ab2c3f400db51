// Where a park has no reception: the app is installable and starts, and shows what was seen.
import sharp from 'sharp';
import { expect, test } from '../support/test.ts';
import { homeMap, NEAREST } from '../support/home-driver.ts';
import { CUT, readyForOffline } from '../support/offline-driver.ts';

test.use({
  serviceWorkers: 'allow',
  allowedErrors: [CUT],
});

test('starts without a network and shows the parks', async ({ page, context }) => {
  const map = homeMap(page);
  await map.open();
  await readyForOffline(page);

  await context.setOffline(true);
  await map.open();
  await expect(map.marker(NEAREST.en)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /no internet/i })).toBeVisible();

  // A page that was never opened comes from the same files.
  await page.goto('/parks');
  await expect(page.getByText(NEAREST.en).first()).toBeVisible();

  // So it does where the network goes in the middle of the start.
  await context.setOffline(false);
  await page.goto('/parks', { waitUntil: 'commit' });
  await context.setOffline(true);
  await expect(page.getByText(NEAREST.en).first()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /no internet/i })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
});

test('can be installed', async ({ page, site }) => {
  await homeMap(page).open();
  const manifest = await (await fetch(`${site.url}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({ id: '/', name: 'Packpark', display: 'standalone' });
  expect(manifest.shortcuts.length).toBeGreaterThan(0);
  const icons = manifest.icons as { src: string; sizes: string; type: string; purpose: string }[];
  for (const { src, sizes, type } of icons) {
    const answer = await fetch(site.url + src);
    expect(answer.status, src).toBe(200);
    expect(answer.headers.get('content-type'), src).toContain(type);
    if (sizes === 'any') continue;
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect(`${width}x${height}`, src).toBe(sizes);
  }
  expect(icons.some(({ purpose, sizes }) => purpose === 'maskable' && sizes === '512x512')).toBe(
    true,
  );
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Playwright's contexts are private windows, which is all that may be wrong.
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
  const worker = await fetch(`${site.url}/sw.js`);
  expect(worker.headers.get('cache-control')).toBe('no-cache');
});

test('the worker answers the start address, also without a network', async ({ page, context }) => {
  await homeMap(page).open();
  await readyForOffline(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  const answer = await page.goto('/?from=installed');
  expect(answer?.status()).toBe(200);
  expect(answer?.fromServiceWorker()).toBe(true);
});

test('map tiles that were on the screen are there without a network, and no others were fetched', async ({
  page,
  context,
  site,
}) => {
  const drawn = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLImageElement>('img.leaflet-tile')]
        .filter((tile) => tile.complete && tile.naturalWidth > 0)
        .map((tile) => new URL(tile.src).pathname),
    );
  const map = homeMap(page);
  await map.open();
  await readyForOffline(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  // From now on the worker sees them.
  site.external.asked.length = 0;
  await map.open();
  await expect.poll(async () => (await drawn()).length).toBeGreaterThan(3);
  // Those of the screen still come in one after the other; what is fetched ahead never shows.
  let seen: string[] = [];
  await expect
    .poll(async () => {
      seen = await drawn();
      const asked = site.external.asked.filter((path) => path.startsWith('/tiles/'));
      return asked.filter((path) => !seen.includes(path));
    })
    .toEqual([]);

  await context.setOffline(true);
  const session = await context.newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await map.open();
  await expect.poll(drawn).toEqual(expect.arrayContaining(seen));
});

test('a check-in without a network waits, survives a restart, and is sent exactly once', async ({
  pageFor,
  site,
}) => {
  const person = await site.person();
  const page = await pageFor(person);
  const [park] = await site.sql<{ id: number }>(
    `select id::int from public.parks where status = 'approved' order by id desc limit 1`,
  );
  const visits = () =>
    site.sql('select park_id from public.check_ins where user_id = $1', [person.id]);
  await page.goto(`/parks/${String(park?.id)}/`);
  await readyForOffline(page);
  await page.getByRole('button', { name: 'Check in here' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true });
  await expect(confirm).toBeEnabled();

  await page.context().setOffline(true);
  await confirm.click();
  const waiting = page.getByRole('button', { name: '1 thing waits to be sent' });
  await expect(waiting).toBeVisible();
  expect(await visits()).toHaveLength(0);

  await homeMap(page).open();
  await expect(waiting).toBeVisible();
  // A second tab must not send it, too.
  const other = await page.context().newPage();
  await homeMap(other).open();
  await page.context().setOffline(false);
  await expect.poll(visits).toHaveLength(1);
  await expect(waiting).toBeHidden();
  await expect(other.getByRole('button', { name: '1 thing waits to be sent' })).toBeHidden();
  expect(await visits()).toHaveLength(1);
});
