// The shell around every screen: navbar, More menu, language, theme, titles, offline, the error screen, the info pages.
import type { Page } from '@playwright/test';
import { chunkUrl } from '../support/app-versions.ts';
import { expect, test } from '../support/test.ts';
import { navigator } from '../support/navigation.ts';

const main = (page: Page) => page.getByRole('main');
const navbar = (page: Page) => page.locator('nav').first();
const more = (page: Page) => navbar(page).locator('button[aria-haspopup=dialog]');
const loaded = (page: Page) => page.waitForSelector('#preloader', { state: 'detached' });

test('visitors and logged-in users have different navigation', async ({ site, pageFor }) => {
  const visitor = await pageFor();
  await visitor.goto('/about');
  await expect(navbar(visitor).getByRole('link')).toContainText(['Home', 'Parks', 'Log in']);
  await expect(navbar(visitor).getByRole('link', { name: 'Notifications' })).toHaveCount(0);
  await more(visitor).click();
  const menu = visitor.getByRole('dialog', { name: 'More', exact: true });
  await expect(menu.getByRole('link', { name: 'Explore' })).toHaveAttribute('href', '/parks');
  await expect(menu.getByRole('link', { name: 'Find friends' })).toHaveAttribute('href', '/users');
  await expect(menu.getByRole('link', { name: 'Add a park' })).toHaveCount(0);
  await expect(menu.getByRole('link', { name: 'Log in' })).toBeVisible();
  await visitor.goto('/profile');
  await expect(visitor).toHaveURL('/login?mode=login');

  const user = await site.user();
  const page = await pageFor(user, { at: '/about' });
  await expect(navbar(page).getByRole('link')).toContainText([
    'Home',
    'Parks',
    'Profile',
    'Notifications',
  ]);
  await more(page).click();
  await expect(page.getByRole('link', { name: 'Add a park' })).toHaveAttribute(
    'href',
    '/parks/new',
  );
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  await page.goto('/profile');
  await expect(page).toHaveURL(`/profile/${user.id}/dogs`);

  // On a desktop the longest label fits in the rail.
  await page.setViewportSize({ width: 1280, height: 800 });
  const room = await navbar(page)
    .getByRole('link', { name: /Notifications/ })
    .evaluate((item) => {
      const words = document.createRange();
      words.selectNodeContents(item);
      return (item.clientWidth - words.getBoundingClientRect().width) / 2;
    });
  expect(room).toBeGreaterThanOrEqual(8);
});

test('unseen notifications are counted, and shown as 99+ above 99', async ({ site, pageFor }) => {
  const user = await site.user();
  const add = (count: number) =>
    site.sql(
      `insert into public.notifications (type, sender_id, receiver_id, title, app_message, push_message, is_ready)
       select 'friendRequest', $1, $1, 'T', 'A', 'P', true from generate_series(1, $2)`,
      [user.id, count],
    );
  await add(99);
  const page = await pageFor(user, { at: '/about' });
  const link = navbar(page).getByRole('link', { name: /Notifications/ });
  await expect(link).toContainText('99');
  await expect(link).toHaveAccessibleName(/99 new notifications/);
  await add(1);
  await page.reload();
  await expect(link).toContainText('99+');
  await expect(link).toHaveAccessibleName(/100 new notifications/);
  // The heading shows the server's count, because the page loads only a part of the notifications.
  await link.click();
  await expect(page.getByRole('heading', { name: '100 new notifications' })).toBeVisible();
  await page.getByRole('main').getByRole('listitem').first().getByRole('button').first().click();
  await page.goBack();
  await expect(page.getByRole('heading', { name: '99 new notifications' })).toBeVisible();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByRole('heading', { name: 'Earlier' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /new notification/ })).toHaveCount(0);
});

test.describe('if the menu cannot be downloaded', () => {
  test.use({ allowedErrors: [/Failed to load resource/] });

  test('an error is shown and the screen stays', async ({ page }) => {
    await page.route('**/more-menu-*.js', (route) => route.abort());
    await page.goto('/about');
    await more(page).click();
    await expect(page.getByRole('alert')).toHaveText(
      'This part could not be loaded. Please reload the page.',
    );
    await expect(more(page)).toHaveAttribute('aria-expanded', 'false');
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('About Packpark');
  });
});

test.describe('if the app has an error', () => {
  test.use({ allowedErrors: [/RangeError/] });

  test('the operator gets its type but not its message', async ({ page, site }) => {
    await page.goto('/about');
    // An error is counted once per visit, even if it repeats. The test repeats it, because errors before the listener is installed
    // are lost.
    await expect
      .poll(async () => {
        await page.evaluate(() => {
          setTimeout(() => {
            throw new RangeError('Ann was here');
          });
        });
        return site.sql`select count, version ~ '^[0-9]' as known from private.app_errors where type = 'RangeError'`;
      })
      .toEqual([{ count: 1, known: true }]);
  });
});

test.describe('if the messages cannot be downloaded', () => {
  test.use({ allowedErrors: [/Failed to load resource|The app cannot start/] });

  test('the page shows an error instead of waiting forever', async ({ page }) => {
    await page.route('**/*catalogue*.js', (route) => route.abort());
    await page.goto('/about');
    await expect(page.getByRole('alert')).toContainText('No internet connection');
    await page.unroute('**/*catalogue*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('About Packpark');
  });

  test('the page shows that its files are slow, and starts once they arrive', async ({ page }) => {
    await page.clock.install();
    let come: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (come = resolve));
    await page.route('**/*catalogue*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/about', { waitUntil: 'domcontentloaded' });
    await page.clock.fastForward('00:15');
    await expect(page.getByRole('alert')).toContainText('This is taking a while.');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    come();
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('About Packpark');
    await expect(page.getByText('This is taking a while.')).toHaveCount(0);
  });
});

test('the theme changes and is remembered', async ({ page }) => {
  await page.goto('/about');
  await more(page).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('meta[name=theme-color]').first()).toHaveAttribute(
    'content',
    /^#131a17$/i,
  );
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  // Back to the device's theme, light and dark.
  await more(page).click();
  await page.getByRole('radio', { name: 'Auto' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test("the account's theme and language apply on a new device", async ({ site, pageFor }) => {
  const user = await site.user();
  await site.sql`update public.users set language = 'ar', theme = 'dark', created_at = now() - interval '1 day' where id = ${user.id}`;
  const page = await pageFor(user);
  await page.addInitScript(() => {
    localStorage.removeItem('language');
    localStorage.removeItem('theme');
  });
  await page.goto('/about');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('a sheet closes by Esc, backdrop and Back, and focus returns', async ({ page }) => {
  await page.goto('/about');
  await loaded(page);
  // The skip link leads past the navbar.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(main(page)).toBeFocused();
  await navbar(page).getByRole('link', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/login/);
  // The heading of the new page is focused first.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const menu = page.getByRole('dialog', { name: 'More', exact: true });

  await more(page).click();
  await expect(menu).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(more(page)).toBeFocused();

  await more(page).click();
  await expect(menu).toBeVisible();
  await page.mouse.click(200, 5);
  await expect(menu).toBeHidden();

  await more(page).click();
  await expect(menu).toBeVisible();
  // Wait for the menu's history entry. It is added only after the browser has left the previous menu's entry.
  await page.waitForFunction(() => (history.state as { overlays?: number }).overlays === 1);
  await page.evaluate(() => history.back());
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL(/\/login/);
  await page.goBack();
  await expect(page).toHaveURL(/\/about/);
});

test('parks, users and own pages have specific titles', async ({ site, pageFor }) => {
  const user = await site.user('Dana of the titles');
  const page = await pageFor(user);
  const goTo = await navigator(page);
  for (const [path, title] of [
    ['/', 'Dog parks on the map'],
    ['/about', 'About Packpark'],
    ['/privacy-policy', 'Privacy policy'],
    ['/parks', 'Dog parks'],
    ['/parks/1/', 'Eucalyptus Bend'],
    ['/parks/1/reviews', 'Reviews – Eucalyptus Bend'],
    ['/share/parks/1', 'Eucalyptus Bend'],
    ['/parks/new', 'Add a park'],
    ['/users', 'Find friends'],
    ['/notifications', 'Notifications'],
    ['/meetings', 'Meetings'],
    [`/profile/${user.id}/info`, 'Info – Dana of the titles'],
    [`/profile/${user.id}/settings`, 'Settings'],
    ['/user-deleted', 'Goodbye, and happy walks'],
  ] as const) {
    await goTo(path);
    await expect(page).toHaveTitle(`${title} · Packpark`);
  }
});

test.describe('if something fails', () => {
  test.use({ allowedErrors: [/Failed to load resource|Failed to fetch|errors\.offline/] });

  test('an unknown URL shows an error with a game that counts bone tosses', async ({ page }) => {
    await page.goto('/no/such/place');
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText(
      'Uh-oh! Could not find page',
    );
    await expect(main(page).getByText('There was a problem')).toBeVisible();
    const bone = main(page).getByRole('button', { name: 'Toss the bone' });
    await bone.click();
    await expect(main(page).getByText('1 toss', { exact: true })).toBeVisible();
    await bone.press('Enter');
    await expect(main(page).getByText('2 tosses')).toBeVisible();
    await main(page).getByRole('link', { name: 'Back to the map' }).click();
    await expect(page).toHaveURL(/\/$/);
  });

  test('with motion enabled, the preloader fades and the bone flies', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.addInitScript(() => {
      const ended = new Set<string>();
      // The durations of the styles, because on a busy machine Chromium has reported an elapsed time of 0.
      for (const kind of ['transition', 'animation'] as const)
        document.addEventListener(
          `${kind}end`,
          ({ target, type }) => {
            const element = target as Element;
            ended.add(`${element.id || type}: ${getComputedStyle(element)[`${kind}Duration`]}`);
          },
          true,
        );
      Object.assign(window, { ended });
    });
    const ended = () =>
      page.evaluate(() => [...(window as unknown as { ended: Set<string> }).ended]);
    await page.goto('/no/such/place');
    await expect.poll(ended).toContain('preloader: 0.5s');
    await main(page).getByRole('button', { name: 'Toss the bone' }).click();
    await expect.poll(ended).toContain('animationend: 0.8s');
  });

  test('a profile that failed offline can be retried', async ({ site, pageFor }) => {
    const user = await site.user();
    const page = await pageFor(user);
    await page.route('**/rest/v1/rpc/user_page*', (route) => route.abort());
    await page.goto(`/profile/${user.id}`);
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText(
      'Uh-oh! no internet connection',
    );
    await page.unroute('**/rest/v1/rpc/user_page*');
    await main(page).getByRole('button', { name: 'Try again' }).click();
    await expect(main(page).getByText(user.name).first()).toBeVisible();
  });
});

test('visitors who only read do not download the Supabase client', async ({ page }) => {
  const scripts: string[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.url());
  });
  await page.goto('/about');
  await loaded(page);
  await page.waitForLoadState('networkidle');
  expect(scripts.length).toBeGreaterThan(3);
  const clients: string[] = [];
  for (const url of scripts)
    if ((await (await fetch(url)).text()).includes('GoTrueClient')) clients.push(url);
  expect(clients).toEqual([]);
});

test('a screen that fails to load shows an error and can be retried', async ({ page }) => {
  await page.clock.install();
  let hangs = true;
  await page.route(chunkUrl('about'), (route) => (hangs ? undefined : route.continue()));
  await page.goto('/about', { waitUntil: 'commit' });
  // On a slow machine this can take longer than the shell needs to appear.
  const status = page.getByRole('status').filter({ hasText: 'This is taking a while.' });
  await expect(page.locator('main [aria-busy]').or(status).first()).toBeVisible();
  await page.clock.fastForward('00:16');
  await expect(status).toBeVisible();
  hangs = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(main(page).getByRole('heading', { level: 1 })).toBeVisible();
});
