// The site's own map, drawn from one file: in the user's language and theme, in a shell, saved offline, refreshed and deleted.
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { homeMap, NEAREST, openHome } from '../support/home-driver.ts';
import { logOut } from '../support/native-driver.ts';
import { test } from '../support/native-shell.ts';
import { TEST_MAP } from '../support/test-map.ts';
import { expect } from '../support/test.ts';

const FILE = 'town.pmtiles';

test.use({ hostSettings: { MAP_FILE: FILE }, allowedErrors: [/Failed to load resource|net::/] });
// One worker, because these tests need a host of their own, which is started once.
test.describe.configure({ mode: 'default' });
test.beforeEach(({ site }) => copyFileSync(TEST_MAP, path.join(site.dataDir, FILE)));

const tiles = (page: Page) => page.locator('.map-drawn canvas.leaflet-tile-loaded');

async function drawn(page: Page): Promise<void> {
  await expect.poll(() => tiles(page).count()).toBeGreaterThan(5);
}

/**
 * Reads the centre tile: its image, average lightness (0 to 255), the painted and the dark share, its main colour, and the largest
 * step between neighbouring pixels; null while it is not drawn.
 */
const middle = (page: Page) =>
  page.evaluate(() => {
    const { x, y, width, height } =
      document.querySelector('.leaflet-container')?.getBoundingClientRect() ?? new DOMRect();
    const drawn = document.querySelectorAll<HTMLCanvasElement>(
      '.map-drawn canvas.leaflet-tile-loaded',
    );
    const canvas = [...drawn].find((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      const [atX, atY] = [x + width / 2, y + height / 3];
      return left <= atX && right > atX && top <= atY && bottom > atY;
    });
    if (!canvas) return null;
    const copy = document.createElement('canvas');
    copy.width = copy.height = canvas.width;
    const context = copy.getContext('2d');
    context?.drawImage(canvas, 0, 0);
    const { data = new Uint8ClampedArray() } =
      context?.getImageData(0, 0, copy.width, copy.height) ?? {};
    let [sum, painted, dark, step] = [0, 0, 0, 0];
    const colours = new Map<number, number>();
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
      sum += green;
      if (data[at + 3] === 255) painted += 1;
      if (green < 128) dark += 1;
      if (at % (4 * copy.width) !== 0) step = Math.max(step, Math.abs(green - (data[at - 3] ?? 0)));
      const colour = (red << 16) + (green << 8) + blue;
      colours.set(colour, (colours.get(colour) ?? 0) + 1);
    }
    const [[ground] = [0]] = [...colours].toSorted(([, one], [, other]) => other - one);
    const pixels = data.length / 4;
    return {
      picture: copy.toDataURL(),
      light: sum / pixels,
      painted: painted / pixels,
      dark: dark / pixels,
      ground: `rgb(${ground >> 16}, ${(ground >> 8) & 255}, ${ground & 255})`,
      step,
    };
  });

/** Simulates a month without a visit, after which the tiles that were only viewed are gone. */
const clearCache = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.deleteDatabase('packpark-tiles');
        request.onsuccess = request.onerror = request.onblocked = () => resolve(null);
      }),
  );

/** Simulates a slow device: writes to the store wait until `finishOccupying` is called in the page. */
const occupyStore = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('packpark-map');
        opening.onerror = () => reject(opening.error ?? new Error('There is no such store'));
        opening.onsuccess = () => {
          const tiles = opening.result.transaction('tiles', 'readwrite').objectStore('tiles');
          let busy = true;
          Object.assign(globalThis, { finishOccupying: () => (busy = false) });
          const read = () => {
            if (busy) tiles.count().onsuccess = read;
          };
          read();
          resolve();
        };
      }),
  );

const kept = (page: Page) =>
  page.evaluate(
    () =>
      JSON.parse(localStorage.getItem('offlineMap') ?? 'null') as {
        version: string;
        areas: object[];
      } | null,
  );

/** Monaco, which is in the same map file but far from the invented town and its parks. */
const AT_MONACO = '/?lat=43.7345&long=7.4205';

async function openKeeping(page: Page) {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('link', { name: 'Save this map offline' }).click();
  return page.getByRole('dialog', { name: 'Offline map' });
}

test.describe('the demo', () => {
  test.use({ hostSettings: { TILE_URL: '' } });

  test('the demo shows its invented town, and a message outside of it', async ({ page }) => {
    const map = await openHome(page);
    await drawn(page);
    await expect(page.getByText('Demo: an invented town')).toBeVisible();
    await map.open(AT_MONACO);
    await expect(page.getByText('Demo: an invented town')).toBeVisible();
    await expect(tiles(page)).toHaveCount(0);
  });
});

test('it uses the user’s language and theme, without a tile server', async ({ page, site }) => {
  await openHome(page);
  await drawn(page);
  await expect.poll(async () => (await middle(page))?.light).toBeGreaterThan(180);
  const english = await middle(page);
  expect(site.external.requests.filter((asked) => asked.startsWith('/tiles/'))).toEqual([]);

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByText('Language', { exact: true }).click();
  await page.getByText('עברית').click();
  await expect
    .poll(async () => {
      const now = await middle(page);
      return now !== null && now.picture !== english?.picture;
    })
    .toBe(true);

  await page.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
  await expect.poll(async () => (await middle(page))?.light).toBeLessThan(90);
});

for (const ratio of [2, 3])
  test(`at ${ratio}× it is as sharp, also with other contrasts`, async ({ browser, site }) => {
    const context = await browser.newContext({ baseURL: site.url, deviceScaleFactor: ratio });
    const page = await context.newPage();
    await page.goto('/');
    await drawn(page);
    expect(
      await tiles(page)
        .first()
        .evaluate((tile: HTMLCanvasElement) => tile.width / tile.clientWidth),
    ).toBe(ratio);
    await expect.poll(async () => (await middle(page))?.painted).toBe(1);
    // The tile is sharp: in a blurred one the steps between neighbouring pixels would be smaller.
    await expect.poll(async () => (await middle(page))?.step).toBeGreaterThan(130);
    const usual = await middle(page);

    // With increased contrast, streets have an outline.
    await page.emulateMedia({ contrast: 'more' });
    await expect
      .poll(async () => (await middle(page))?.dark)
      .toBeGreaterThan(2 * (usual?.dark ?? 1));

    await page.emulateMedia({ contrast: null, forcedColors: 'active' });
    const own = await page.evaluate(() => {
      const probe = document.createElement('span');
      probe.style.cssText = 'color: Canvas; forced-color-adjust: none';
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
    expect(own).not.toBe(usual?.ground);
    await expect.poll(async () => (await middle(page))?.ground).toBe(own);
    await context.close();
  });

test('beyond the last zoom of a file, tiles are enlarged', async ({ page, site }) => {
  const early = readFileSync(TEST_MAP);
  // Byte 101 of the header is the maximum zoom of the file.
  early[101] = 13;
  writeFileSync(path.join(site.dataDir, FILE), early);
  await openHome(page);
  await drawn(page);
});

test('it is drawn in a shell, which has another origin', async ({ openShell }) => {
  const { page, context } = await openShell();
  await drawn(page);
  // The map is now drawn from the cache of the device.
  await context.route(/map\.pmtiles/, (route) => route.abort());
  await page.reload();
  await drawn(page);
});

test('surroundings are saved offline, refreshed, and deleted at logout', async ({
  pageFor,
  site,
}) => {
  const page = await pageFor(await site.user());
  const map = await openHome(page);
  const sheet = await openKeeping(page);
  await expect(sheet.getByText(/of up to 40 MB/)).toBeVisible();
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(sheet.getByText(/saved, as of/)).toBeVisible();
  await sheet.getByRole('button', { name: 'Close' }).click();
  const first = await kept(page);

  await page.context().route(/map\.pmtiles/, (route) => route.abort());
  await clearCache(page);
  await map.open();
  await drawn(page);
  // An area that was not saved shows a message instead of tiles while the map file cannot be loaded.
  await clearCache(page);
  await map.open(AT_MONACO);
  await expect(page.getByText('Map images are unavailable right now')).toBeVisible();
  await expect(tiles(page)).toHaveCount(0);
  await page.context().unroute(/map\.pmtiles/);

  // The appended bytes are after the last tile, so they change only the file's version.
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

test('those of a distant favourite can be kept after a logout', async ({ pageFor, site }) => {
  const user = await site.user();
  const [park] = await site.sql<{ park_id: number }>(
    'select park_id::int from public.park_translations where name = $1',
    [NEAREST.en],
  );
  const { error } = await user.client
    .from('favourite_parks')
    .insert({ user_id: user.id, park_id: park?.park_id ?? 0 });
  expect(error).toBeNull();
  const page = await pageFor(user);
  const map = homeMap(page);
  await map.open(AT_MONACO);
  const sheet = await openKeeping(page);
  await expect(sheet.getByText(/of up to 40 MB/)).toBeVisible();
  await sheet.getByRole('checkbox', { name: 'Delete it when I log out' }).uncheck();

  // On a slow connection, progress is shown.
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.context().route(/map\.pmtiles/, async (route) => {
    await released;
    await route.continue();
  });
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(sheet.getByRole('progressbar')).toHaveAttribute('value', '0');
  release();
  await expect(sheet.getByText(/saved, as of/)).toBeVisible();
  await sheet.getByRole('button', { name: 'Close' }).click();

  await logOut(page);
  expect((await kept(page))?.areas).toHaveLength(2);
  await page.context().unroute(/map\.pmtiles/);
  await page.context().route(/map\.pmtiles/, (route) => route.abort());
  await clearCache(page);
  await map.open();
  await drawn(page);

  const keeping = await openKeeping(page);
  await occupyStore(page);
  await keeping.getByRole('button', { name: 'Delete from this device' }).click();
  // The message appears only after the deletion, because the user may then leave the page.
  expect(await kept(page)).not.toBeNull();
  await page.evaluate('finishOccupying()');
  await expect.poll(() => kept(page)).toBeNull();
  await map.open();
  await expect(page.getByText('Map images are unavailable right now')).toBeVisible();
});

test('in Hebrew, distances on the plain ground are right-aligned', async ({ pageFor }) => {
  const page = await pageFor(undefined, { language: 'he' });
  await page.context().route(/map\.pmtiles/, (route) => route.abort());
  await openHome(page);
  const distance = page.locator('.leaflet-overlay-pane text').first();
  await expect(distance).toHaveText(/^\u200f?\d00/);
  // A text that is not drawn yet has no extent, and reading it fails.
  await expect(async () => {
    const [number, unit] = await distance.evaluate((text: SVGTextElement) =>
      [/\d/, /מ/].map((letter) => text.getExtentOfChar((text.textContent ?? '').search(letter)).x),
    );
    expect(number).toBeGreaterThan(unit ?? Infinity);
  }).toPass();
});

test('exceeding the quota is reported, and nothing is saved', async ({ page }) => {
  // Without animation, each key is one zoom step.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const map = await openHome(page);
  await map.canvas.focus();
  for (let level = 0; level < 8; level++) await page.keyboard.press('-');
  const sheet = await openKeeping(page);
  await expect(sheet.getByText('That is more than 40 MB. Zoom in and try again.')).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
});
