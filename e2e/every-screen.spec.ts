// Every screen and sheet in three languages and both themes: accessible, within its width, in its own language.
import type { Locator, Page } from '@playwright/test';
import { expect, test, type Language } from './fixtures.ts';
import { livedIn } from './lived-in.ts';
import { accessFindings, widthFindings, wordFindings } from './screen-checks.ts';
import { words } from './words.ts';

const OPEN = [
  '/',
  '/?park=12',
  '/parks',
  '/parks?q=xyzzy',
  '/parks/12/',
  '/parks/12/reviews',
  '/parks/12/visitors',
  '/parks/new',
  '/users',
  '/users?q=zaatar',
  '/login?mode=login',
  '/login?mode=signup',
  '/login?mode=forgot',
  '/email-callback',
  '/update-password',
  '/share/parks/12',
  '/about',
  '/privacy-policy',
  '/terms',
  '/accessibility',
  '/delete-account',
  '/user-deleted',
  '/no-such-place',
];
const OWN = [
  '/parks/{park}/',
  '/parks/{park}/reviews',
  '/parks/{park}/visitors',
  '/parks/new',
  '/users?q={name}',
  '/profile/{me}/dogs',
  '/profile/{me}/reviews',
  '/profile/{me}/friends',
  '/profile/{me}/favorites',
  '/profile/{me}/info',
  '/profile/{me}/settings',
  '/profile/{me}/dogs/{dog}',
  '/profile/{friend}/dogs',
  '/profile/{friend}/reviews',
  '/profile/{friend}/info',
  '/profile/{stranger}/dogs',
  '/notifications',
];

/** Which sheets open on which screen by the button of which text, and where it is a second step. */
const SHEETS: [path: string, ...buttons: string[]][] = [
  ['/parks', 'parks.list.filters'],
  ['/parks/{park}/', 'parks.about.suggest|parks.about.addMissing'],
  ['/parks/{park}/', 'liveReports.report'],
  ['/parks/{park}/reviews', 'reviews.list.edit'],
  ['/parks/{park}/visitors', 'invites.button'],
  ['/parks/13/', 'checkins.button'],
  ['/profile/{me}/dogs', 'dogs.list.add'],
  ['/profile/{me}/dogs/{dog}', 'dogs.page.edit'],
  ['/profile/{me}/dogs/{dog}', 'dogs.page.delete'],
  ['/profile/{me}/dogs/{dog}', 'dogs.photos.add'],
  ['/profile/{me}/settings', 'account.delete.button'],
  ['/notifications', 'notifications.settings.title'],
  ['/about', 'shell.navbar.more'],
  ['/about', 'shell.navbar.more', 'css=dialog button:has([lang])'],
  ['/parks/1/reviews', 'reviews.card.actions'],
];

test.use({ allowedErrors: [/404|notFound/] });

for (const language of ['he', 'ar', 'en'] satisfies Language[]) {
  test(`every screen and sheet holds in ${language}`, async ({ stage, browserOf }) => {
    test.setTimeout(180_000);
    const t = words(language);
    const account = await livedIn(stage, language);
    const { me, friend, stranger, dogId, parkId } = account;
    const proper = await namesOf(stage);
    const fill = (path: string) =>
      path
        .replace('{me}', me.id)
        .replace('{friend}', friend.id)
        .replace('{stranger}', stranger.id)
        .replace('{dog}', dogId)
        .replace('{name}', me.name)
        .replace('{park}', String(parkId));
    const findings: string[] = [];
    const check = async (page: Page, where: string) => {
      await page.setViewportSize({ width: 390, height: 844 });
      const found = [
        ...(await accessFindings(page)),
        ...(await widthFindings(page)),
        ...(await wordFindings(page, language, proper)),
      ];
      await page.setViewportSize({ width: 360, height: 740 });
      found.push(...(await widthFindings(page)).map((each) => `360: ${each}`));
      findings.push(...found.map((each) => `${where} ${each}`));
    };

    for (const [person, paths] of [
      [undefined, OPEN],
      [me, OWN],
    ] as const) {
      const page = await browserOf(person, { language, theme: 'light' });
      const walk = await walker(page);
      for (const path of paths) {
        await walk(fill(path));
        await check(page, `${path}${person ? ' (logged in)' : ''}`);
      }
      if (!person) continue;
      for (const [path, ...buttons] of SHEETS) {
        await walk(fill(path));
        for (const keys of buttons) await buttonOf(page, keys, t).click();
        await expect(page.locator('dialog[open], [role=menu]').last()).toBeVisible();
        await settled(page);
        await check(page, `${path} › ${buttons.join(' › ')}`);
        await page.keyboard.press('Escape');
        await expect(page.locator('dialog[open], [role=menu]')).toHaveCount(0);
      }
    }
    expect(findings).toEqual([]);
  });
}

/** @param keys of the button's text, one or another; or a selector */
function buttonOf(page: Page, keys: string, t: (key: string) => string): Locator {
  if (keys.startsWith('css=')) return page.locator(keys);
  return keys
    .split('|')
    .map((key) => page.getByRole('button', { name: t(key), exact: true }))
    .reduce((one, other) => one.or(other))
    .first();
}

/** Names of the people, dogs and parks, which stay in the script that their owners chose. */
async function namesOf(stage: { sql: (text: string) => Promise<{ name: string }[]> }) {
  const rows = await stage.sql(
    `select name from public.users union select name from public.dogs union select name from public.park_translations where language = 'en'`,
  );
  return rows.map(({ name }) => name).filter((name) => /[a-z]/i.test(name));
}

/** Goes from screen to screen as the app's own links do, which is faster than loading it anew each time. */
async function walker(page: Page): Promise<(path: string) => Promise<void>> {
  await page.goto('/about');
  await page.waitForSelector('#preloader', { state: 'detached' });
  await page.evaluate(() => document.fonts.ready);
  return async (path) => {
    await page.evaluate(async (href) => {
      const { __TSR_ROUTER__: router } = window as unknown as {
        __TSR_ROUTER__: { navigate(to: { href: string }): Promise<void> };
      };
      await router.navigate({ href });
    }, path);
    await settled(page);
  };
}

/** Nothing is on its way any more, neither data nor a part of the app. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeAttached();
  await expect(page.locator('[aria-busy=true], [class*=skeleton]')).toHaveCount(0);
  await page.waitForFunction(
    () =>
      new Promise((resolve) => {
        const before = performance.getEntriesByType('resource').length;
        requestIdleCallback(
          () => resolve(performance.getEntriesByType('resource').length === before),
          { timeout: 300 },
        );
      }),
  );
}
