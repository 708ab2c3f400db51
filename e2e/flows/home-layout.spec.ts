// The home screen in each of its states. No element is covered, no text is clipped, and the map keeps its share of a phone's
// screen.
import type { Page } from '@playwright/test';
import { addDog, befriend, checkOut, inviteTo } from '../support/fixtures.ts';
import { isOnTop, NEAREST, openHome } from '../support/home-driver.ts';
import { expect, type Language, type TestUser, type Site, test } from '../support/test.ts';

/** Minimum uncovered share of the map with the default text size. */
const MIN_MAP_SHARE = 0.45;
const PHONE = { width: 390, height: 844 };
const SIZES = [
  { width: 320, height: 640 },
  PHONE,
  { width: 640, height: 400 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
];
/** Text sizes in pixels; at 200 % the page may scroll. */
const TEXTS = [16, 32];
const LANGUAGES = ['en', 'he', 'ar'] as const;

interface State {
  /** Runs before the page is opened, for a logged-in user. */
  given?: (site: Site, user: TestUser) => Promise<unknown>;
  /** Runs before the page is loaded. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Runs on the page. */
  then?: (page: Page) => Promise<unknown>;
  /** Text that is visible in this state. */
  shows: string;
  /** True if the list or a park's sheet takes the map's share of the screen. */
  hasLessMap?: true;
}

const CARD = '[data-park]';
const listOf = (page: Page, parks: object[]) =>
  page.route('**/parks-*.json', (route) => route.fulfill({ json: parks }));

/** 3,000 parks around the default location. */
const MANY = Array.from({ length: 3000 }, (_, at) => ({
  id: 10_000 + at,
  name: `The Long Name of Neighbourhood Park Number ${at}`,
  city: 'Tel Aviv',
  address: '1 Park St',
  location: { lat: 32.099 + (at % 60) * 0.004, long: 34.809 + Math.floor(at / 60) * 0.004 },
}));

const checkIn = async (site: Site, user: TestUser) => {
  await user.client.rpc('check_in', { p_park_id: 4, p_dog_count: 1 });
  await site.sql`update public.parks set facts = '{}', fact_sources = '{}' where id = 4`;
};

const STATES: Record<string, State> = {
  'a visitor who is asked for the location': {
    async prepare(page) {
      await page.context().clearPermissions();
      await page.addInitScript(() => localStorage.removeItem('welcomed'));
    },
    shows: 'section:has(> button + button)',
  },
  'checked in': { given: checkIn, shows: '[data-park]' },
  'at a park': {
    given: (_, user) => addDog(user, 'Rex'),
    async prepare(page) {
      await page
        .context()
        .setGeolocation({ latitude: 32.09655, longitude: 34.80702, accuracy: 20 });
      await page.addInitScript(() => localStorage.removeItem('offeredAtPark'));
    },
    shows: '[data-floating-card=row]',
  },
  'asked a question': {
    given: async (site, user) => {
      await checkIn(site, user);
      await site.sql`update public.check_ins set started_at = now() - interval '6 minutes' where user_id = ${user.id}`;
    },
    shows: '[data-floating-card]',
  },
  'a lost dog': {
    given: async (site, user) => {
      const dog = await addDog(user, 'Rex');
      await site.sql`insert into private.lost_dogs (dog_id, reporter, name, lat, long, reviewed_place, by_local) values (${dog}, ${user.id}, 'Rex', 32.1, 34.81, '(34.81,32.1)', true)`;
    },
    shows: 'button:has(.lucide-siren)',
  },
  offline: { then: (page) => page.context().setOffline(true), shows: CARD },
  'a meeting': {
    given: async (site, user) => {
      const friend = await site.user();
      await befriend(user, friend);
      await inviteTo(user, friend, 1);
    },
    shows: CARD,
  },
  'no tiles': {
    prepare: (page) => page.route('**/tiles/**', (route) => route.abort()),
    shows: `[data-list-first] ${CARD}`,
    hasLessMap: true,
  },
  'no parks': { prepare: (page) => listOf(page, []), shows: 'main [role=status]' },
  '3,000 parks': { prepare: (page) => listOf(page, MANY), shows: CARD },
  'a selected park': {
    then: async (page) => {
      await page.goto('/?park=1');
      await expect(page.getByRole('main').locator('[data-bottom-buttons]')).toBeVisible();
    },
    shows: `${CARD}, [data-bottom-buttons]`,
    hasLessMap: true,
  },
};

/** Elements that another element covers after being scrolled into view, and texts clipped without an ellipsis. */
const findings = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const nameOf = (element: Element) =>
      `${element.tagName} “${(element.ariaLabel ?? element.textContent).slice(0, 40)}”`;
    const controls = [...document.querySelectorAll('a[href], button, input, select')].filter(
      (element) =>
        element.checkVisibility({ visibilityProperty: true }) &&
        // Overlays may cover the map, and the skip link is above the page.
        !element.closest('.leaflet-container, .visually-hidden, [href="#main"], [inert]'),
    );
    for (const control of controls) {
      control.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, top, width, height } = control.getBoundingClientRect();
      for (const [x, y] of [
        [0.5, 0.5],
        [0.15, 0.2],
        [0.85, 0.2],
        [0.15, 0.8],
        [0.85, 0.8],
      ] as const) {
        const over = document.elementFromPoint(left + width * x, top + height * y);
        if (over && !control.contains(over) && !over.contains(control))
          found.push(`${nameOf(control)} is below ${nameOf(over)}`);
        if (!over) found.push(`${nameOf(control)} is out of reach`);
      }
    }
    for (const element of document.querySelectorAll('main *, nav *')) {
      if (element.closest('.leaflet-container, svg, .visually-hidden') || !element.textContent)
        continue;
      const style = getComputedStyle(element);
      const isCut =
        element.scrollWidth > element.clientWidth + 1 &&
        ['hidden', 'clip'].includes(style.overflowX);
      if (isCut && style.textOverflow !== 'ellipsis' && style.webkitLineClamp === 'none')
        found.push(`cut off: ${nameOf(element)}`);
    }
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wide > 0) found.push(`the page scrolls sideways by ${wide}`);
    scrollTo(0, 0);
    return [...new Set(found)];
  });

/** Share of the window's height that is uncovered map, along a vertical line through the map's centre. */
const mapShare = (page: Page) =>
  page.evaluate(() => {
    const map = document.querySelector('.leaflet-container');
    let seen = 0;
    for (let y = 0; y < innerHeight; y += 4)
      if (map?.contains(document.elementFromPoint(innerWidth / 2, y))) seen += 4;
    return seen / innerHeight;
  });

test.use({ allowedErrors: [/Failed to load resource/] });

Object.entries(STATES).forEach(([name, { given, prepare, then, shows, hasLessMap }], at) => {
  test(`home, ${name}: nothing is covered, and the map keeps its share`, async ({
    site,
    pageFor,
  }) => {
    const user = given && (await site.user());
    if (user) {
      // The account of a new user would follow the language of each page, and the next page could switch back to it.
      await site.sql`update public.users set created_at = now() - interval '1 day' where id = ${user.id}`;
      await given(site, user);
    }
    const page = await pageFor(user);
    await prepare?.(page);
    const session = await page.context().newCDPSession(page);
    const problems: string[] = [];
    try {
      for (const [turn, language] of LANGUAGES.entries()) {
        await page.setViewportSize(PHONE);
        await open(page, language, turn === 0);
        await expect(page.locator(shows).first()).toBeVisible();
        await then?.(page);
        for (const [index, size] of SIZES.entries())
          for (const [larger, standard] of TEXTS.entries()) {
            // Covers each pair of state, language, size and text somewhere; LAYOUTS=all tests all combinations.
            if (process.env.LAYOUTS !== 'all' && (index + larger + turn + at) % 3 !== 0) continue;
            await session.send('Page.setFontSizes', { fontSizes: { standard } });
            await page.setViewportSize(size);
            await page.waitForFunction(
              (to) => getComputedStyle(document.documentElement).fontSize === `${to}px`,
              standard,
            );
            const look = `${language} ${size.width} × ${size.height}, text ${standard}`;
            await expect
              .poll(() => findings(page), { timeout: 10_000 })
              .toEqual([])
              .catch(async () => {
                problems.push(...(await findings(page)).map((each) => `${look}: ${each}`));
              });
            if (size === PHONE && standard === 16 && !hasLessMap) {
              const share = await mapShare(page);
              if (share < MIN_MAP_SHARE) problems.push(`${look}: the map has ${share}`);
            }
          }
        await session.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
        await page.context().setOffline(false);
      }
    } finally {
      // The next tests share the page.
      await session.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
      await session.detach();
      if (user) await checkOut(user);
      await site.sql`delete from private.lost_dogs`;
    }
    expect(problems).toEqual([]);
  });
});

test('in a phone’s browser, the sheet of a park shows its main button and its pin without scrolling', async ({
  site,
  pageFor,
}) => {
  const user = await site.user();
  await user.client.rpc('check_in', { p_park_id: 4, p_arrives_in: 20 });
  for (const [each, size] of [
    [user, { width: 390, height: 664 }],
    [undefined, { width: 360, height: 640 }],
  ] as const) {
    const page = await pageFor(each);
    await page.setViewportSize(size);
    const map = await openHome(page);
    await page.locator('[data-park="1"]').click();
    await expect(map.popup(NEAREST.en)).toContainText('Mostly shaded');
    for (const shown of [page.getByRole('button', { name: 'Check in here' }), map.selected])
      await expect.poll(() => isOnTop(shown), `${size.height}`).toBe(true);
  }
  await checkOut(user);
});

test('the visit bar of a phone hides neither the nearest pin nor the name of the park', async ({
  site,
  pageFor,
}) => {
  const user = await site.user();
  const page = await pageFor(user);
  await page.setViewportSize({ width: 390, height: 664 });
  const map = await openHome(page);
  await user.client.rpc('check_in', { p_park_id: 1, p_dog_count: 1 });
  const here = page.getByRole('region', { name: 'You are here' });
  await expect(here.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect.poll(() => isOnTop(map.marker(NEAREST.en))).toBe(true);
  const name = here.getByText(NEAREST.en);
  expect(await name.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  await checkOut(user);
});

test('the tiles of the map return with the network', async ({ page }) => {
  // Fails in the browser first, as tiles do without a network.
  await page.route('**/tiles/**', (route) => route.abort());
  await openHome(page);
  const list = page.locator('[data-list-first]');
  await expect(list).toBeVisible();
  await page.unroute('**/tiles/**');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(list).toHaveCount(0);
});

async function open(page: Page, language: Language, isFirst: boolean): Promise<void> {
  if (isFirst) await page.goto('/');
  await page.evaluate((to) => localStorage.setItem('language', to), language);
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName('map-ready').length > 0);
}
