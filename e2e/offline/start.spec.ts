// At a park without reception: the app starts and shows cached pages.
import { confirmCheckIn, reservePark, standAt } from '../support/fixtures.ts';
import { expect, test } from '../support/test.ts';
import { NEAREST, openHome } from '../support/home-driver.ts';
import { CUT, readyForOffline } from '../support/offline-driver.ts';

test.use({ serviceWorkers: 'allow', allowedErrors: [CUT] });

test('starts without a network, with the parks and the viewed tiles', async ({ pageFor, site }) => {
  const page = await pageFor();
  const context = page.context();
  const drawn = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLImageElement>('img.leaflet-tile')]
        .filter((tile) => tile.complete && tile.naturalWidth > 0)
        .map((tile) => new URL(tile.src).pathname),
    );
  const map = await openHome(page);
  await readyForOffline(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  // From now on the service worker handles the tiles.
  site.external.requests.length = 0;
  // At a link's coordinates, because the default view fits the nearest parks and drops tiles.
  const place = '/?lat=32.10012&long=34.80941';
  await map.open(place);
  await expect.poll(async () => (await drawn()).length).toBeGreaterThan(3);
  // Waits until every requested tile is shown, because visible tiles load one after the other. Prefetched tiles would never be
  // shown.
  let seen: string[] = [];
  await expect
    .poll(async () => {
      seen = await drawn();
      const asked = site.external.requests.filter((path) => path.startsWith('/tiles/'));
      return asked.filter((path) => !seen.includes(path));
    })
    .toEqual([]);

  await context.setOffline(true);
  await map.open('/?from=installed');
  await expect(map.marker(NEAREST.en)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /no internet/i })).toBeVisible();
  const session = await context.newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await map.open(place);
  await expect.poll(drawn).toEqual(expect.arrayContaining(seen));

  // A page that was never opened is served from the same files by the worker.
  const answer = await page.goto('/parks');
  expect([answer?.status(), answer?.fromServiceWorker()]).toEqual([200, true]);
  await expect(page.getByText(NEAREST.en).first()).toBeVisible();

  // The page also appears if the network fails while it is loading.
  await context.setOffline(false);
  await page.goto('/parks', { waitUntil: 'commit' });
  await context.setOffline(true);
  await expect(page.getByText(NEAREST.en).first()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /no internet/i })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
});

test('a check-in is queued, survives a restart, and is sent once', async ({ pageFor, site }) => {
  const user = await site.user();
  const page = await pageFor(user);
  const park = await reservePark(site);
  const visits = () =>
    site.sql('select park_id from public.check_ins where user_id = $1', [user.id]);
  await standAt(page, park);
  const sent: unknown[] = [];
  page.context().on('request', (request) => {
    if (request.url().endsWith('/rpc/check_in')) sent.push(request.postDataJSON());
  });
  await page.goto(`/parks/${park.id}/`);
  await readyForOffline(page);
  await page.getByRole('button', { name: 'Check in here' }).click();
  const confirm = confirmCheckIn(page);
  await expect(confirm).toBeEnabled();

  await page.context().setOffline(true);
  await confirm.click();
  const waiting = page.getByRole('button', { name: '1 change is waiting to be sent' });
  await expect(waiting).toBeVisible();
  expect(await visits()).toHaveLength(0);

  // Work that waits until the first screen is ready must not be necessary for sending the queue. So suppress both signals after the
  // restart: the 'map-ready' mark and the fallback timer of 2 s.
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => undefined;
    const later = globalThis.setTimeout;
    globalThis.setTimeout = ((task: () => void, ms?: number, ...rest: unknown[]) =>
      ms === 2000 ? 0 : later(task, ms, ...rest)) as typeof setTimeout;
  });
  await page.goto('/');
  await expect(waiting).toBeVisible();
  // A second tab must not send the check-in a second time.
  const other = await page.context().newPage();
  await openHome(other);
  await page.context().setOffline(false);
  await expect.poll(visits).toHaveLength(1);
  await expect(waiting).toBeHidden();
  await expect(other.getByRole('button', { name: '1 change is waiting to be sent' })).toBeHidden();
  expect(await visits()).toHaveLength(1);
  // The location at the time of the tap is not sent later.
  expect(sent.at(-1)).toMatchObject({ p_park_id: park.id });
  expect(sent.at(-1)).not.toHaveProperty('p_location');
});
