// The site's own map, drawn from one file: in the language and the theme, in a shell, kept on the device, renewed and deleted.
import { appendFileSync, copyFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { homeMap } from '../support/home-driver.ts';
import { logOut } from '../support/native-driver.ts';
import { openShell } from '../support/native-shell.ts';
import { TEST_MAP } from '../support/test-map.ts';
import { expect, test } from '../support/test.ts';

const FILE = 'town.pmtiles';

test.use({ hostSettings: { MAP_FILE: FILE }, allowedErrors: [/Failed to load resource|net::/] });
// Its host is of its own: one worker, so that it is started once.
test.describe.configure({ mode: 'default' });
test.beforeEach(({ site }) => copyFileSync(TEST_MAP, path.join(site.dataDir, FILE)));

const tiles = (page: Page) => page.locator('.map-drawn canvas.leaflet-tile-loaded');

async function drawn(page: Page): Promise<void> {
  await expect.poll(() => tiles(page).count()).toBeGreaterThan(5);
}

/** The picture of the tile in the middle, and how light it is on the whole, from 0 to 255. */
const middle = (page: Page) =>
  page.evaluate(() => {
    const { x, y, width, height } =
      document.querySelector('.leaflet-container')?.getBoundingClientRect() ?? new DOMRect();
    const canvas = [...document.querySelectorAll<HTMLCanvasElement>('.map-drawn canvas')].find(
      (each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        const [atX, atY] = [x + width / 2, y + height / 3];
        return left <= atX && right > atX && top <= atY && bottom > atY;
      },
    );
    if (!canvas) throw new Error('No tile is in the middle');
    const copy = document.createElement('canvas');
    copy.width = copy.height = canvas.width;
    const context = copy.getContext('2d');
    context?.drawImage(canvas, 0, 0);
    const { data = [] } = context?.getImageData(0, 0, copy.width, copy.height) ?? {};
    let sum = 0;
    for (let at = 0; at < data.length; at += 4) sum += data[at + 1] ?? 0;
    return { picture: copy.toDataURL(), light: sum / (data.length / 4) };
  });

/** As after a month without a visit: what was only seen is gone. */
const forgetSeen = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.deleteDatabase('packpark-tiles');
        request.onsuccess = request.onerror = request.onblocked = () => resolve(null);
      }),
  );

const kept = (page: Page) =>
  page.evaluate(
    () => JSON.parse(localStorage.getItem('keptMap') ?? 'null') as { version: string } | null,
  );

test('it is drawn in the language and the theme of the person, and no tile server is asked', async ({
  page,
  site,
}) => {
  const map = homeMap(page);
  await map.open();
  await drawn(page);
  const english = await middle(page);
  expect(english.light).toBeGreaterThan(180);
  expect(site.external.asked.filter((asked) => asked.startsWith('/tiles/'))).toEqual([]);

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByText('Language', { exact: true }).click();
  await page.getByText('עברית').click();
  await expect.poll(async () => (await middle(page)).picture).not.toBe(english.picture);

  await page.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
  await expect.poll(async () => (await middle(page)).light).toBeLessThan(90);
});

test('in a shell, which has an origin of its own, it is drawn as well', async ({
  browser,
  site,
}) => {
  const { page, context } = await openShell(browser, site);
  await drawn(page);
  // Once more from the device.
  await context.route(/map\.pmtiles/, (route) => route.abort());
  await page.reload();
  await drawn(page);
  await context.close();
});

test('surroundings are kept without a network, renewed with the file, and leave with a logout', async ({
  pageFor,
  site,
}) => {
  const page = await pageFor(await site.person());
  const map = homeMap(page);
  await map.open();
  await page.getByRole('button', { name: 'Keep this map on the device' }).click();
  const sheet = page.getByRole('dialog', { name: 'Keep my surroundings on this device' });
  await expect(sheet.getByText(/in all, of 40 MB at most/)).toBeVisible();
  await sheet.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect(sheet.getByText(/kept, as of/)).toBeVisible();
  await sheet.getByRole('button', { name: 'Close' }).click();
  const first = await kept(page);

  await page.context().route(/map\.pmtiles/, (route) => route.abort());
  await forgetSeen(page);
  await map.open();
  await drawn(page);
  // What was not kept says so, and shows no roads that are none.
  await forgetSeen(page);
  await map.open('/?lat=43.7345&long=7.4205');
  await expect(page.getByText('The map’s pictures are not available now')).toBeVisible();
  await expect(tiles(page)).toHaveCount(0);
  await page.context().unroute(/map\.pmtiles/);

  // What follows the last tile changes nothing but the file.
  appendFileSync(path.join(site.dataDir, FILE), 'renewed');
  const version = async () =>
    ((await (await fetch(`${site.url}/config.json`)).json()) as { map: { version: string } }).map
      .version;
  expect(await version()).not.toBe(first?.version);
  await map.open();
  await expect.poll(async () => (await kept(page))?.version).toBe(await version());

  await logOut(page);
  await expect.poll(() => kept(page)).toBeNull();
});
