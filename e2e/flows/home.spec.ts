// The home map as a user sees it: nearby parks, who is there, directions, and behaviour when external services fail.
import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../support/accessible.ts';
import { chunkUrl } from '../support/app-versions.ts';
import { expect, test, shortenPolling } from '../support/test.ts';
import { befriend, checkOut } from '../support/fixtures.ts';
import { keyboardOf } from '../support/keyboard-driver.ts';
import { makeItMorning, shiftClock } from '../support/offline-driver.ts';
import { homeMap, isOnTop, NEAREST, openHome } from '../support/home-driver.ts';
import { settled } from '../support/navigation.ts';

const NAME = NEAREST.en;

/** Matches the weather badge, but not the button for the hourly weather next to it. */
const BADGE = { name: /Weather(?! by the hour)/ };

/** Runs in the page: removes the timeouts of the first screen, so that it waits for its tiles and marks only. */
function withoutTimeouts(): void {
  const later = globalThis.setTimeout;
  globalThis.setTimeout = ((task: () => void, ms?: number, ...rest: unknown[]) =>
    ms === 2000 || ms === 5000 ? 0 : later(task, ms, ...rest)) as typeof setTimeout;
}

test('until tiles and cards are shown, only the code of the visible parts is loaded', async ({
  pageFor,
}) => {
  const page = await pageFor();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/tiles/**', async (route) => {
    await held;
    await route.continue();
  });
  await page.addInitScript(withoutTimeouts);
  const scripts = new Set<string>();
  page.on('request', (request) => {
    const name = /\/assets\/(.+)-[\w-]{8}\.js$/.exec(request.url())?.[1];
    if (name) scripts.add(name);
  });
  await page.goto('/');
  await page.waitForFunction(() => performance.getEntriesByName('cards-ready').length > 0);
  const files =
    'base cardinals cards cluster-worker en.app.catalogue fit-places home main map routes verdicts';
  expect([...scripts].sort()).toEqual(files.split(' '));

  release();
  await expect.poll(() => [...scripts]).toContain('after-first-screen');
});

test('the page preloads exactly the files that the home map needs', async ({ page }) => {
  await openHome(page);
  const list = await page.locator('script[data-files]').getAttribute('data-files');
  const preloaded: string[] = JSON.parse(list ?? '{}').en ?? [];
  const needed = await page.evaluate(() => {
    const ready = performance.getEntriesByName('map-ready')[0]?.startTime ?? 0;
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < ready)
      .map(({ name }) => new URL(name).pathname);
  });
  const parts = needed.filter((file) =>
    /^\/assets\/(?!main-|cluster-worker-).+\.(js|css)$/.test(file),
  );
  expect([...new Set(parts)].sort()).toEqual([...preloaded].sort());
});

test('the central tile loads first, before the map is created', async ({ page }) => {
  const tiles: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/tiles/**', async (route) => {
    tiles.push(route.request().url());
    await held;
    await route.continue();
  });
  await page.addInitScript(withoutTimeouts);
  await page.goto('/');
  const drawn = page.locator('img.leaflet-tile');
  await expect.poll(() => drawn.count()).toBeGreaterThan(4);
  const preloaded = await page.locator('link[rel=preload][as=image]').getAttribute('href');
  await expect(page.locator('img.leaflet-tile[src]')).toHaveAttribute('src', preloaded ?? '');
  expect(tiles).toEqual([preloaded]);

  release();
  await expect(page.locator('img.leaflet-tile:not(.leaflet-tile-loaded)')).toHaveCount(0);
  expect(tiles.filter((url) => url === preloaded)).toHaveLength(1);
});

test('the pin or the map closes the popup', async ({ page }) => {
  const map = await openHome(page);
  await map.choose(NAME);
  await expect(
    map
      .popup(NAME)
      .getByText(/^\d+ dogs? now$/)
      .first(),
  ).toBeVisible();
  await expect(map.popup(NAME).getByRole('img').first()).toBeVisible();
  await map.marker(NAME).click();
  await expect(map.popup(NAME)).toBeHidden();
  await map.choose(NAME);
  await expect(map.selected).toHaveCount(1);
  await map.canvas.click({ position: { x: 30, y: 300 } });
  await expect(map.selected).toHaveCount(0);
  await expect(map.popup(NAME)).toBeHidden();
  // The arrow keys pan the pressed map.
  await expect(map.canvas).toBeFocused();
});

test('the best park is shown first; Back closes overlays one by one', async ({ page }) => {
  await makeItMorning(page);
  const map = homeMap(page);
  await page.goto('/about');
  await page.getByRole('link', { name: 'Home' }).click();
  const first = page.getByRole('list', { name: 'Parks around' }).getByRole('listitem').first();
  await expect(first).toContainText(NAME);
  await expect(first).toContainText(/\d dogs? now/);
  // The verdict is on each card, or once above the cards if it is the same for all parks.
  const strip = page.getByRole('list', { name: 'Parks around' }).locator('..');
  await expect(strip).toContainText(/Good|Quiet|Crowded|Better|Muddy|rain/);

  await first.getByRole('button').click();
  await expect(map.popup(NAME)).toBeVisible();
  await expect(map.selected).toHaveCount(1);
  // Back closes the topmost overlay first: a sheet over the directions over the park.
  await page.getByRole('button', { name: 'Directions' }).click();
  const filters = page.getByRole('dialog', { name: 'Filters' });
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(filters).toBeVisible();
  // Closing an overlay changes the URL for a moment, and the next navigation would start from there.
  const stays = () => expect(page).toHaveURL(/[?&]park=1\b/);
  await page.goBack();
  await expect(filters).toBeHidden();
  await stays();
  await expect(page.getByRole('button', { name: 'Back to the park' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Back to the park' })).toBeHidden();
  await stays();
  await map.popup(NAME).getByRole('link', { name: 'Details' }).click();
  await expect(page).toHaveURL(/\/parks\/1\/?$/);
  await page.goBack();
  await expect(map.popup(NAME)).toBeVisible();
  await page.goBack();
  await expect(map.popup(NAME)).toBeHidden();
  await expect(map.canvas).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/about');
});

test('the best nearby park is first unless the list is sorted otherwise', async ({
  site,
  pageFor,
}) => {
  const friend = await site.user('Ruth');
  const user = await site.user();
  await befriend(user, friend);
  await friend.client.rpc('check_in', { p_park_id: 5, p_dog_count: 2 });
  // A favourite park ranks higher. Otherwise the other park would come first, because it has more shade in winter.
  await user.client.from('favourite_parks').insert({ park_id: 5 });
  const page = await pageFor(user);
  await makeItMorning(page);
  await page.goto('/');
  const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('button');
  await expect(cards.first()).toContainText('Ruth is here');
  await expect(cards.filter({ hasText: NAME })).toContainText(/Company right now|shade/i);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('radio', { name: 'Distance' }).check();
  await page.keyboard.press('Escape');
  await expect(cards.first()).toHaveAttribute('data-park', '1');
  await page.reload();
  await expect(cards.first()).toHaveAttribute('data-park', '1');
  await page.goto('/parks');
  const sort = page.getByRole('combobox', { name: 'Sort by' });
  await expect(sort).toHaveValue('distance');
  // In the park list, 'Best now' uses the same ranking and shows the reason.
  await sort.selectOption('Best now');
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows.first()).toContainText('Ruth is here');
  await expect(rows.filter({ hasText: NAME })).toContainText(/Company right now|Shade until/);
  await checkOut(friend);
});

test('a location that arrives late shows the cards of the parks around it', async ({
  pageFor,
  site,
}) => {
  const page = await pageFor();
  // Enables animation, because the test checks that the map does not stop halfway.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    const coords = { latitude: 32.0765, longitude: 34.839, accuracy: 5000 };
    navigator.geolocation.getCurrentPosition = (found) =>
      addEventListener('located', () =>
        found({ coords, timestamp: Date.now() } as GeolocationPosition),
      );
  });
  await page.goto('/?park=1');
  await page.getByRole('button', { name: 'Directions' }).click();
  await expect(page.getByText('Finding where you are')).toBeVisible();
  await page.goto('/');
  const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('button');
  await expect(cards.first()).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event('located')));
  const [nearest] = await site.sql<{ id: number }>(
    `select id from public.parks where status = 'approved'
     order by (lat - 32.0765) ^ 2 + ((long - 34.839) * 0.84) ^ 2 limit 1`,
  );
  const isNearest = `[data-park="${nearest?.id}"]`;
  await expect(cards.and(page.locator(isNearest))).toBeVisible();
  await expect(
    cards.filter({ hasText: 'The nearest' }).and(page.locator(`:not(${isNearest})`)),
  ).toHaveCount(0);
});

test('the first view fits the nearest three parks', async ({ pageFor, site }) => {
  const page = await pageFor();
  await page.setViewportSize({ width: 390, height: 844 });
  // At a place where parks are far apart. Overridden, because the browser reuses the previous test's position for a while.
  await page.addInitScript(() => {
    const coords = { latitude: 32.0765, longitude: 34.839, accuracy: 5000 };
    navigator.geolocation.getCurrentPosition = (found) =>
      found({ coords, timestamp: Date.now() } as GeolocationPosition);
  });
  await page.goto('/');
  const nearest = await site.sql<{ name: string }>(
    `select name from public.parks p join public.park_translations t on t.park_id = p.id and t.language = 'en'
     where p.status = 'approved' order by (lat - 32.0765) ^ 2 + ((long - 34.839) * 0.84) ^ 2 limit 3`,
  );
  for (const { name } of nearest)
    await expect.poll(() => isOnTop(homeMap(page).marker(name)), name).toBe(true);
});

test('the paw clock sets the hour of cards and pins, by keyboard and pointer', async ({ page }) => {
  await makeItMorning(page);
  await shiftClock(page, 33);
  await openHome(page);
  const small = page.getByRole('button', { name: 'Weather by the hour' });
  await expect(small).toHaveText(/^10:3[34]/);
  await small.click();
  const clock = page.getByRole('slider', { name: 'Hour' });
  await clock.press('ArrowRight');
  await expect(clock).toHaveAttribute('aria-valuetext', /^11:00/);
  // Midnight is at the bottom and hours run clockwise, so the right-hand side is the evening.
  const { width, height } = await clock.evaluate((dial) => dial.getBoundingClientRect());
  await clock.click({ position: { x: width * 0.9, y: height / 2 + 8 } });
  await expect(clock).toHaveAttribute('aria-valuetext', /^18:00.*about \d+ dogs/);
  const windows = page.getByRole('dialog').getByRole('list', { name: 'Good for a walk:' });
  await expect(windows.getByRole('listitem').first()).toContainText(/10:00–\d\d:00/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(small).toHaveText(/^18:00/);
  // At this hour rain is unlikely, so the weather badge is hidden.
  await expect(page.getByRole('button', BADGE)).toHaveCount(0);
  const card = page.getByRole('list', { name: 'Parks around' }).getByRole('button').first();
  await expect(card).not.toContainText('now');
  await page.getByRole('button', { name: '18:00, Back to now' }).click();
  await expect(card).toContainText('now');
});

test.describe('without a forecast', () => {
  test.use({ allowedErrors: [/Failed to load resource/] });

  test('parks are ranked anyway, and the missing forecast is mentioned once', async ({ page }) => {
    // Fail in the browser, because the host may have cached forecasts of these parks in earlier tests.
    await page.route('**/functions/v1/weather*', (route) => route.fulfill({ status: 503 }));
    await page.goto('/?lat=31.1&long=34.6');
    const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('button');
    await expect(cards.first()).toContainText(
      /company|nearest|rated|calm|quiet until|lit after|fenced|shade|open/i,
    );
    await expect(page.getByText('No forecast right now')).toHaveCount(1);
    await expect(page.getByRole('button', BADGE)).toHaveCount(0);
  });
});

test('on a phone the selected pin is not covered, and its sheet can be dragged up into the page', async ({
  pageFor,
}) => {
  const page = await pageFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const map = await openHome(page);
  const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('listitem');
  // Without a correction, this park's pin would be at the upper edge of the map, below the filters.
  await cards.filter({ hasText: 'Two Benches' }).getByRole('button').click();
  await expect(map.popup('Two Benches')).toBeVisible();
  await expect.poll(() => isOnTop(map.selected)).toBe(true);

  const heading = map.popup('Two Benches').getByRole('heading');
  const box = (await heading.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const finger = { pointerType: 'touch', isPrimary: true, bubbles: true, clientX: box.x + 20 };
  await heading.dispatchEvent('pointerdown', { ...finger, clientY: box.y });
  await heading.dispatchEvent('pointermove', { ...finger, clientY: box.y - 60 });
  await heading.dispatchEvent('pointerup', { ...finger, clientY: box.y - 120 });
  await expect(page).toHaveTitle(/^Two Benches · /);
  await expect(page).toHaveURL(/\/parks\/\d+\/?$/);
});

test('the map, its cards and the list share their filters', async ({ page }) => {
  const map = await openHome(page);
  const chips = page.getByRole('group', { name: 'Filters' });
  const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('listitem');
  await expect(map.marker('Swallow Corner')).toBeVisible();
  await chips.getByRole('button', { name: 'Grass' }).click();
  await expect(map.marker('Swallow Corner')).toHaveCount(0);
  await expect(map.marker(NAME)).toBeVisible();
  await expect(page).toHaveURL(/[?&]ground=GRASS/);
  await expect(cards.filter({ hasText: 'Swallow Corner' })).toHaveCount(0);

  await page.getByRole('navigation').getByRole('link', { name: 'Parks' }).click();
  // The list has the same filter chips, so wait for its link to the map to know that the list is shown.
  const toMap = page.getByRole('link', { name: 'Map', exact: true });
  await expect(toMap).toBeVisible();
  await expect(chips.getByRole('button', { name: 'Grass' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.getByRole('link', { name: 'Swallow Corner' })).toHaveCount(0);
  await chips.getByRole('button', { name: 'Large park' }).click();
  await toMap.click();
  await expect(page).toHaveURL(/ground=GRASS.*size=large|size=large.*ground=GRASS/);
  await expect(map.marker('The Long Lawn')).toBeVisible();
  await expect(map.marker(NAME)).toHaveCount(0);

  // The search finds parks that the filters exclude, and a message appears if no park matches.
  await page.goto('/?size=small&ground=SYNTHETIC_GRASS&shade=9');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(map.marker(NAME)).toBeVisible();
  await expect(page).toHaveURL('/');
});

test('floating elements have a border in forced-colours mode', async ({ page }) => {
  const map = await openHome(page);
  await map.choose(NAME);
  await expect(map.popup(NAME)).toBeVisible();
  await expect(page.locator('[data-park]').first()).toBeAttached();
  const floating = await page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('body *')];
    const found = all.filter((each) => /^(?!none|.*inset)/.test(getComputedStyle(each).boxShadow));
    for (const each of found) each.dataset.floating = '';
    return found.length;
  });
  expect(floating).toBeGreaterThan(5);
  await page.emulateMedia({ forcedColors: 'active' });
  const bare = await page.locator('[data-floating]').evaluateAll((all) =>
    all
      .filter((each) => {
        const style = getComputedStyle(each);
        // Pins are exempt, because they keep their colours and shadows.
        return (
          style.boxShadow === 'none' &&
          ['border-block-end', 'border-block-start', 'outline'].every(
            (edge) =>
              style.getPropertyValue(`${edge}-style`) === 'none' ||
              style.getPropertyValue(`${edge}-width`) === '0px',
          )
        );
      })
      .map(({ className }) => className),
  );
  expect(bare).toEqual([]);
});

test('by keyboard: markers are one tab stop, arrows move between them, and Enter opens a card', async ({
  page,
}) => {
  const map = await openHome(page);
  await map.canvas.focus();
  await page.keyboard.press('Tab');
  // The marker nearest to the centre comes first.
  await expect(map.marker(NAME)).toBeFocused();
  const focused = map.markers.and(page.locator(':focus'));
  const visited: string[] = [];
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowDown']) {
    await page.keyboard.press(key);
    // Only the park's name, because live data that follows it changes.
    const [name = ''] = ((await focused.getAttribute('aria-label')) ?? '').split('.');
    visited.push(name);
  }
  expect(new Set(visited).size).toBeGreaterThan(2);
  await page.keyboard.press('Tab');
  await expect(map.canvas.locator(':focus')).toHaveCount(0);
  await page.keyboard.press('Shift+Tab');
  const last = visited.at(-1) ?? '';
  await expect(focused).toHaveAttribute('aria-label', new RegExp(`^${last}(\\.|$)`));

  const card = map.popup(last);
  await page.keyboard.press('Enter');
  await expect(card).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
  await expect(map.marker(last)).toBeFocused();
});

test("the map is restored on return; a new visit starts at the user's location", async ({
  page,
}) => {
  const map = await openHome(page);
  await map.search.fill('Strawberry');
  await page.getByRole('option', { name: /Strawberry Field/ }).click();
  // The map is left only when the park's screen is shown.
  const onPage = () => expect(page).toHaveTitle(/^Strawberry Field · /);
  await map.popup('Strawberry Field').getByRole('link', { name: 'Details' }).click();
  await expect(page).toHaveURL(/\/parks\/32\/?$/);
  await onPage();
  await page.goBack();
  await expect(map.popup('Strawberry Field')).toBeVisible();
  await expect(map.marker('Strawberry Field')).toBeVisible();
  await map.popup('Strawberry Field').getByRole('link', { name: 'Details' }).click();
  await onPage();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(map.marker(NAME)).toBeVisible();
  await expect(map.marker('Strawberry Field')).toHaveCount(0);

  // A link to a park shows the park, wherever the user is.
  await page.goto('/?park=32');
  await expect(map.marker('Strawberry Field')).toBeVisible();
});

test('a visitor sees the number of dogs rise and fall without a reload', async ({ page, site }) => {
  const map = homeMap(page);
  await shortenPolling(page);
  await map.open();
  const dogs = async () =>
    Number(
      /(\d+) dogs? now/.exec((await map.marker(NAME).getAttribute('aria-label')) ?? '')?.[1] ?? 0,
    );
  await expect.poll(dogs).toBeGreaterThan(0);
  const before = await dogs();

  const user = await site.user();
  await user.client.rpc('check_in', { p_park_id: 1, p_dog_count: 2 });
  await expect.poll(dogs).toBe(before + 2);
  await checkOut(user);
  await expect.poll(dogs).toBe(before);
});

test("opens at a link's coordinates at zoom 16, and the wheel does not zoom", async ({
  page,
  site,
}) => {
  const map = homeMap(page);
  site.external.requests.length = 0;
  await map.open('/?lat=32.14533&long=34.83911');
  await expect(map.marker('Strawberry Field')).toBeVisible();
  await map.canvas.hover();
  await page.mouse.wheel(0, -600);
  await page.getByRole('button', { name: 'Show where I am' }).click();
  await expect(map.marker(NAME)).toBeVisible();
  const zooms = site.external.requests
    .filter((path) => path.startsWith('/tiles/'))
    .map((path) => path.split('/')[2]);
  expect(new Set(zooms)).toEqual(new Set(['16']));
});

test.describe('the address search', () => {
  test('suggests own places 250 ms after the third character', async ({ page, site }) => {
    const map = homeMap(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      const { mode, q } = Object.fromEntries(url.searchParams);
      if (url.pathname.endsWith('/geocode')) asked.push(`${mode} ${q}`);
    });
    await map.open();
    site.external.requests.length = 0;
    await map.search.fill('Pomegranate');
    await page.getByRole('option', { name: /Pomegranate Garden/ }).click();
    await expect(map.popup('Pomegranate Garden')).toBeVisible();
    await map.search.fill('Tel Av');
    await page.getByRole('option', { name: 'Tel Aviv-Yafo', exact: true }).click();
    await expect(map.search).toHaveValue('Tel Aviv-Yafo');
    await expect(map.markers.first()).toBeVisible();
    // City suggestions come from the site's list of parks, so the external service is not called.
    expect(site.external.requests.filter((path) => path.startsWith('/search'))).toEqual([]);

    const suggested = () => asked.filter((one) => /^suggest Pom?$/.test(one));
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await map.search.fill('Po');
    await page.clock.runFor(10_000);
    await map.search.fill('Pom');
    await page.clock.runFor(249);
    await expect(page.getByRole('search').getByRole('option')).toHaveCount(0);
    expect(suggested()).toEqual([]);
    await page.clock.runFor(1);
    await expect.poll(suggested).toEqual(['suggest Pom']);
  });

  test('queries the address service on Enter, and moves there', async ({ page, site }) => {
    const map = homeMap(page);
    site.external.places = [
      { display_name: 'Heavenly Dogs 1, Ramat Gan', lat: '32.14533', lon: '34.83911' },
    ];
    await map.open();
    // The host caches the service's responses.
    await map.search.fill(`Heavenly ${randomUUID().slice(0, 8)}`);
    await map.search.press('Enter');
    await expect(page.getByText('Parks near Heavenly Dogs 1')).toBeVisible();
    const asked = site.external.requests.find((path) => path.startsWith('/search')) ?? '';
    expect(Object.fromEntries(new URL(asked, site.url).searchParams)).toMatchObject({
      limit: '3',
      format: 'json',
      addressdetails: '1',
      countrycodes: 'il',
    });

    // Arrow keys choose between several results; an empty result is announced.
    site.external.places = [
      { display_name: 'Nowhere 1', lat: '31.5', lon: '34.9' },
      { display_name: 'Nowhere 2', lat: '32.10012', lon: '34.80941' },
    ];
    await map.search.fill('Nowhere');
    await map.search.press('Enter');
    await expect(page.getByRole('search').getByRole('option')).toHaveCount(2);
    await map.search.press('ArrowDown');
    await map.search.press('Enter');
    await expect(map.search).toHaveValue('Nowhere 2');
    await expect(map.marker(NAME)).toBeVisible();
    site.external.places = [];
    await map.search.fill('qqqqqq');
    await map.search.press('Enter');
    await expect(page.getByText("Oops! We couldn't sniff out that address")).toBeVisible();
    await expectAccessible(page);
  });

  test('directions start at the found place until a tap resets it', async ({ page, site }) => {
    site.external.places = [
      { display_name: 'HaYarkon 1, Tel Aviv', lat: '32.10421', lon: '34.80962' },
    ];
    const map = await openHome(page);
    const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('button');
    const carob = cards.filter({ hasText: 'Little Carob' });
    await expect(carob).toContainText('9 min walk');
    await map.search.fill('HaYarkon 1, Tel Aviv');
    await map.search.press('Enter');
    await expect(page.getByText('Parks near HaYarkon 1')).toBeVisible();
    await expect(carob).toContainText('3 min walk');
    // The pin has no label, because the place's name is shown above the map.
    const pin = page.locator('.leaflet-marker-pane > span:not(:empty)');
    await expect(pin).toBeVisible();
    await page.getByRole('button', { name: 'Back to my location' }).click();
    await expect(page.getByText('Parks near')).toBeHidden();
    await expect(pin).toHaveCount(0);
    await expect(carob).toContainText('9 min walk');

    site.external.places = [{ display_name: 'Mitzpe Ramon', lat: '30.61', lon: '34.80' }];
    await map.search.fill('Mitzpe Ramon');
    await map.search.press('Enter');
    await expect(page.getByText('No park within 5 km of Mitzpe Ramon')).toBeVisible();
    await expect(pin).toBeVisible();
    await page.getByRole('link', { name: 'Add a park' }).click();
    await expect(page).toHaveURL('/parks/new');
  });
});

test('the weather badge opens the hourly forecast', async ({ page, site }) => {
  site.external.weather = { temperature: 17, rain: 65, code: 63 };
  const map = homeMap(page);
  // Coordinates that no other test uses, because forecasts are cached for a minute per area.
  await map.open('/?lat=31.5&long=34.9');
  const badge = page.getByRole('button', BADGE);
  await expect(badge).toHaveText(/17°.*65% rain/);
  await badge.click();
  await expect(page.getByText('Heavy rain').first()).toBeVisible();
  await expect(page.getByRole('link', { name: /Open-Meteo, CC BY 4.0/ })).toBeVisible();
  await expectAccessible(page);
  await badge.click();
  await expect(badge).toHaveAttribute('aria-expanded', 'false');
});

test('rain is mentioned once, beside the search', async ({ page }) => {
  await page.route('**/functions/v1/weather*', async (route) => {
    const response = await route.fetch();
    const forecast = (await response.json()) as { hourly: { precipitation_probability: number[] } };
    forecast.hourly.precipitation_probability.fill(80);
    await route.fulfill({ response, json: forecast });
  });
  await makeItMorning(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await homeMap(page).open('/');
  await expect(page.getByText('Better not now').first()).toBeVisible();
  await expect(page.getByText('chance of rain')).toHaveCount(0);
  const [search, badge] = await Promise.all(
    [page.getByRole('search'), page.getByRole('button', BADGE)].map((each) => each.boundingBox()),
  );
  expect(badge?.y).toBeLessThan((search?.y ?? 0) + (search?.height ?? 0));
});

test('by keyboard only: directions draw the route, hand over to an app and remember the choice', async ({
  page,
}) => {
  const map = await openHome(page);
  const keys = keyboardOf(page);
  const cards = page.getByRole('list', { name: 'Parks around' });
  const directions = page.getByRole('button', { name: 'Directions' });
  await keys.press(cards.getByRole('button', { name: new RegExp(`^${NAME} .* out of 5\\. `) }));
  await keys.focuses(`region ${NAME}`);
  await keys.press(directions);
  await keys.focuses(`heading To ${NAME}`);
  await keys.announces(/640.m 8 minutes/);
  await expect(map.popup(NAME).getByText('8 minutes')).toBeVisible();
  await expect(page.locator('.leaflet-overlay-pane text')).toHaveText('8 minutes');
  await expectAccessible(page);

  const links = map.popup(NAME).getByRole('link');
  await expect(links).toHaveText(['Waze', 'Google Maps', 'Apple Maps']);
  await expect(links.first()).toHaveAttribute(
    'href',
    'https://waze.com/ul?ll=32.10012,34.80941&navigate=yes',
  );
  // Announced after the host's own response, which does not depend on the external service.
  await page.context().route('https://www.google.com/**', (route) => route.fulfill({ body: '' }));
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    keys.press(links.nth(1)),
  ]);
  await opened.close();

  await keys.press(page.getByRole('button', { name: 'Back to the park' }));
  await keys.focuses(`region ${NAME}`);
  await expect(page.locator('.leaflet-overlay-pane svg')).toHaveCount(0);
  await keys.press(directions);
  await expect(links.first()).toHaveText('Google Maps');
  expect(keys.findings).toEqual([]);
});

test('a first visit explains the app, and offers the location above the cards', async ({
  page,
}) => {
  await page.context().clearPermissions();
  await page.addInitScript(() => {
    if (!sessionStorage.getItem('seen')) localStorage.removeItem('welcomed');
    sessionStorage.setItem('seen', 'yes');
  });
  await openHome(page);
  const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('button');
  const welcome = page.getByRole('region', { name: 'Packpark' });
  await expect(welcome).toContainText('See who is at the dog park right now.');
  await expectAccessible(page);
  await welcome.getByRole('button', { name: 'Not now' }).click();
  await expect(welcome).toBeHidden();
  await page.reload();
  await expect(cards.first()).toBeVisible();
  await settled(page);
  await expect(welcome).toBeHidden();

  // In another session only the location is asked for.
  await page.evaluate(() => sessionStorage.removeItem('locationLater'));
  await page.reload();
  const location = page.getByRole('region', { name: 'See the parks around you' });
  await expect(location).toBeVisible();
  await expect(cards.first()).not.toContainText('min walk');
  await page.context().grantPermissions(['geolocation']);
  await location.getByRole('button', { name: 'Use my location' }).click();
  await expect(cards.first()).toContainText('min walk');
  await expect(location).toBeHidden();
});

test('a denied location is explained after a tap, once per visit or never again', async ({
  page,
}) => {
  // Simulates a user who denied the permission, because a headless browser cannot prompt.
  await page.addInitScript(() => {
    const no = { code: 1, PERMISSION_DENIED: 1, message: 'denied' };
    navigator.geolocation.getCurrentPosition = (_, fail) => fail?.(no as GeolocationPositionError);
    navigator.permissions.query = () =>
      Promise.resolve(Object.assign(new EventTarget(), { state: 'denied' }) as PermissionStatus);
  });
  const map = await openHome(page);
  const modal = page.getByRole('dialog');
  const ask = () => page.getByRole('button', { name: 'Show where I am' }).click();
  await settled(page);
  await expect(modal).toBeHidden();
  await ask();
  await expect(
    modal.getByText(
      'We couldn’t access your location. You can enable location permissions in your device settings.',
    ),
  ).toBeVisible();
  await expectAccessible(page);
  await modal.getByRole('button', { name: 'Open settings' }).click();
  await expect(modal.getByText(/open the site’s permissions/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(modal).toBeHidden();
  await ask();
  await expect(page.getByText('Location is switched off for this site.')).toBeVisible();

  // A new session shows the explanation again, until the user chooses not to see it.
  await page.evaluate(() => sessionStorage.removeItem('locationLater'));
  await page.reload();
  await ask();
  await modal.getByRole('button', { name: "Don't show again" }).click();
  await page.evaluate(() => sessionStorage.removeItem('locationLater'));
  await page.reload();
  await ask();
  await expect(page.getByText('Location is switched off for this site.')).toBeVisible();
  await expect(modal).toBeHidden();

  // Directions need the location too, and explain in their sheet that it is switched off.
  await map.choose(NAME);
  await page.getByRole('button', { name: 'Directions' }).click();
  await page.getByRole('button', { name: 'Use my location' }).click();
  await expect(page.getByText('Location is switched off for this site.')).toBeVisible();
});

test.describe('when something is missing', () => {
  test.use({ allowedErrors: [/Failed to load resource|net::/] });

  test('without tiles the map shows outlines and a message', async ({ page, site }) => {
    await page.route('**/tiles/**', (route) => route.abort());
    await site.sql`update public.parks set outline = jsonb_build_object('type', 'Polygon', 'coordinates', jsonb_build_array(
         jsonb_build_array(jsonb_build_array(long - 0.001, lat), jsonb_build_array(long, lat + 0.001),
           jsonb_build_array(long + 0.001, lat), jsonb_build_array(long - 0.001, lat))))
       where id = (select park_id from public.park_translations where name = ${NAME})`;
    // The code for park outlines and plain ground is downloaded after the parks, so that the map is usable first.
    const word = page.getByText('Map images are unavailable right now');
    const asked: string[] = [];
    page.on('request', (request) => {
      const [part] = /(outlines|plain-ground)(?=-.*js$)/.exec(request.url()) ?? [];
      if (part) asked.push(part);
    });
    let before: string[] | undefined;
    await page.route('**/parks/parks-en.json*', async (route) => {
      await expect(word).toBeVisible();
      before ??= [...asked];
      await route.continue();
    });
    const map = await openHome(page);
    await expect(page.locator('.leaflet-overlay-pane path')).toHaveCount(1);
    expect([before, asked]).toEqual([[], expect.arrayContaining(['outlines', 'plain-ground'])]);
    await expect(page.locator('.leaflet-overlay-pane text').first()).toHaveText(/\d+\sm$/);
    await expect(page.locator('.map-tiles img.leaflet-tile-loaded')).toHaveCount(0);
    // Without map images, the list of parks takes more of the screen.
    const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('button');
    await expect(cards.nth(2)).toBeInViewport({ ratio: 1 });
    await map.choose(NAME);
    await expect(map.popup(NAME)).toBeVisible();
  });

  test('a language change reaches everything, including the other tab', async ({ page }) => {
    await page.route('**/tiles/**', (route) => route.abort());
    const map = await openHome(page);
    const distance = page.locator('.leaflet-overlay-pane text').first();
    await expect(distance).toHaveText(/\sm$/);
    await map.choose(NAME);
    await expect(map.popup(NAME)).toBeVisible();
    const tab = await page.context().newPage();
    await tab.goto('/about');
    const more = tab.getByRole('button', { name: 'More', exact: true });
    await more.click();
    await tab.getByRole('button', { name: 'Language' }).click();
    const choices = tab.getByRole('dialog', { name: 'Language' }).getByRole('button');
    await expect(choices).toHaveText(['', 'English', 'עברית', 'العربية']);
    await expect(choices.nth(1)).toHaveAttribute('aria-current', 'true');
    await tab.evaluate(() => {
      const said: string[] = [];
      Object.assign(globalThis, { said });
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll('[role=status] .visually-hidden'))
          said.push(textContent);
      }).observe(document.body, { childList: true, subtree: true });
    });
    await choices.nth(2).click();

    await expect(page).toHaveTitle(/גינות כלבים על המפה/);
    await expect(tab.getByRole('heading', { level: 1 })).toContainText('Packpark');
    await expect(tab.locator('html')).toHaveAttribute('lang', 'he');
    await expect(map.marker(NEAREST.he)).toBeVisible();
    await expect(map.popup(NEAREST.he)).toBeVisible();
    await expect(distance).toHaveText(/מ׳/);
    await expect(page.getByText(NAME)).toHaveCount(0);
    await expect(map.canvas).toHaveAttribute('dir', 'ltr');
    // Switching the language translates visible texts, which must not be announced again.
    const said = () => (globalThis as unknown as { said: string[] }).said;
    expect(await tab.evaluate(said)).toEqual([]);
    await tab.reload();
    await expect(tab.locator('html')).toHaveAttribute('lang', 'he');
    await tab.close();
  });

  test('a chunk that fails to load does not affect the map', async ({ page }) => {
    await page.route(chunkUrl('cards', 'selected-park'), (route) => route.abort());
    const map = await openHome(page);
    await map.choose(NAME);
    await expect(
      page.getByText('This part could not be loaded. Please reload the page.'),
    ).toBeVisible();
    await map.marker(NAME).click();
    await expect(
      page.getByText('This part could not be loaded. Please reload the page.'),
    ).toBeHidden();
    await expect(map.markers.first()).toBeVisible();
  });

  test('without a route a message is shown, and external apps still work', async ({ page }) => {
    await page.route('**/functions/v1/route*', (route) => route.fulfill({ status: 503 }));
    const map = await openHome(page);
    await map.choose(NAME);
    await page.getByRole('button', { name: 'Directions' }).click();
    await expect(page.getByText('Directions are unavailable right now.')).toBeVisible();
    await expect(map.popup(NAME).getByRole('link')).toHaveText([
      'Waze',
      'Google Maps',
      'Apple Maps',
    ]);
  });

  test('without parks a message is shown, the request is retried, and the list is offered', async ({
    page,
  }) => {
    let broken = true;
    await page.route('**/parks-en.json', (route) =>
      broken ? route.fulfill({ status: 500 }) : route.continue(),
    );
    await page.goto('/');
    await expect(page.getByText('We could not fetch the parks.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'List' })).toBeVisible();
    await expectAccessible(page);
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(homeMap(page).marker(NAME)).toBeVisible();
  });

  test('an empty map offers to add a park, and shows an import without a reload', async ({
    page,
  }) => {
    let imported = false;
    await page.route('**/parks-en.json', (route) =>
      imported ? route.continue() : route.fulfill({ json: [] }),
    );
    await page.goto('/');
    await expect(page.getByText('No parks here yet')).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Add a park' })).toBeVisible();
    await expectAccessible(page);
    imported = true;
    await expect(homeMap(page).marker(NAME)).toBeVisible({ timeout: 10_000 });
  });

  test.describe('in Hebrew', () => {
    test.use({ language: 'he' });

    test('cards and filters have their places on a desktop', async ({ page }) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await openHome(page);
      const card = page.locator('[data-park]').first();
      const chip = page.getByRole('button', { name: 'פתוח עכשיו' });
      await expect(card).toBeVisible();
      await expect(chip).toBeVisible();
      const { x: cardStart = 0, y: below = 800 } = (await card.boundingBox()) ?? {};
      const { x: chipStart = 0, width = 0 } = (await chip.boundingBox()) ?? {};
      expect(chipStart + width).toBeLessThan(cardStart);
      expect(below).toBeLessThan(250);
      const { y: mapStart = 0 } = (await homeMap(page).canvas.boundingBox()) ?? {};
      const row = page.getByRole('group', { name: 'סינון' });
      const {
        x: rowStart = 0,
        y: rowTop = 0,
        width: rowWidth = 0,
        height: rowHeight = 0,
      } = (await row.boundingBox()) ?? {};
      expect(rowTop + rowHeight).toBeLessThanOrEqual(mapStart);
      // A chip that does not fit is hidden, not cut off, and the focus brings it back.
      for (const each of await row.getByRole('button').all()) {
        const { x = 0, width: chipWidth = 0 } = (await each.boundingBox()) ?? {};
        expect(x).toBeGreaterThanOrEqual(rowStart);
        expect(x + chipWidth).toBeLessThanOrEqual(rowStart + rowWidth);
      }
      const last = row.getByRole('button').last();
      expect(await isOnTop(last)).toBe(false);
      await row.getByRole('button').first().focus();
      await page.keyboard.press('End');
      await expect.poll(() => isOnTop(last)).toBe(true);

      // With large text the cards do not fit over the map.
      const session = await page.context().newCDPSession(page);
      const setText = (standard: number) =>
        session.send('Page.setFontSizes', { fontSizes: { standard } });
      await setText(32);
      try {
        await expect
          .poll(async () => {
            const [filters, cards] = [await chip.boundingBox(), await card.boundingBox()];
            return filters && cards && filters.x - cards.x;
          })
          .toBeGreaterThanOrEqual(0);
      } finally {
        // Reset, because later tests share the page.
        await setText(16);
        await session.detach();
      }
    });
  });

  test('if no park is in view, the nearest is one tap away', async ({ page }) => {
    const map = homeMap(page);
    await map.open('/?lat=29.56&long=34.95');
    await page.getByRole('button', { name: 'Show the nearest' }).click();
    await expect(map.markers.first()).toBeVisible();
  });
});

test('the centre survives rotation, a tap moves it, and a low window scrolls to the buttons', async ({
  page,
}) => {
  const map = homeMap(page);
  // Coordinates from a URL, so that the map does not move to the user's location.
  await map.open('/?lat=32.10012&long=34.80941');
  const middle = async () => {
    const [marker, canvas] = await Promise.all([
      map.marker(NAME).boundingBox(),
      map.canvas.boundingBox(),
    ]);
    if (!marker || !canvas) return null;
    return Math.round(marker.x + marker.width / 2 - (canvas.x + canvas.width / 2));
  };
  await expect.poll(middle).toBe(0);
  for (const size of [
    { width: 844, height: 390 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await expect.poll(async () => (await map.canvas.boundingBox())?.width).toBe(size.width);
    await expect.poll(middle).toBe(0);
  }
  const x = async () => (await map.marker(NAME).boundingBox())?.x ?? 0;
  const before = await x();
  await map.canvas.click({ position: { x: 30, y: 300 } });
  await expect.poll(x).toBeGreaterThan(before + 100);

  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto('/?park=1');
  await expect(map.popup(NAME).getByRole('link', { name: 'Details' })).toBeVisible();
  const covered = await map.popup(NAME).evaluate(
    (card) =>
      [...card.querySelectorAll('a, button')].filter((control) => {
        control.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = control.getBoundingClientRect();
        return !control.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      }).length,
  );
  expect(covered).toBe(0);
});

test('no question covers the card of a park', async ({ site, pageFor }) => {
  const user = await site.user();
  await user.client.rpc('check_in', { p_park_id: 4, p_dog_count: 1 });
  await site.sql(`update public.parks set facts = '{}', fact_sources = '{}' where id = 4`);
  await site.sql`update public.check_ins set started_at = now() - interval '6 minutes' where user_id = ${user.id}`;
  const page = await pageFor(user);
  const map = await openHome(page);
  const question = page.getByRole('region', { name: 'A question about this park' });
  await expect(question).toBeVisible();
  await map.choose(NAME);
  await expect(map.popup(NAME)).toBeVisible();
  await expect(question).toHaveCount(0);
  await map.popup(NAME).getByRole('button', { name: 'Close' }).click();
  await expect(question).toBeVisible();
  await checkOut(user);
});
