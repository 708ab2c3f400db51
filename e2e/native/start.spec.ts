// The app in a shell: its start with and without a network, and where its session is stored.
import { homeMap, NEAREST } from '../support/home-driver.ts';
import { ORIGIN, test } from '../support/native-shell.ts';
import { expect } from '../support/test.ts';
import { main, logIn, logOut, openLogin } from '../support/native-driver.ts';

const SESSION = 'capacitor-storage_packpark-session';

test('the app starts from the device and then does not need its site', async ({
  openShell,
  site,
}) => {
  const { page, context, device } = await openShell();
  const { marker } = homeMap(page);
  const tiles = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll<HTMLImageElement>('img.leaflet-tile')].filter(
          (tile) => tile.complete && tile.naturalWidth > 0,
        ).length,
    );
  const seeAll = async () => {
    await expect(marker(NEAREST.en)).toBeVisible();
    await expect.poll(tiles).toBeGreaterThan(3);
    await page.getByRole('link', { name: 'Parks', exact: true }).click();
    await expect(main(page).getByRole('listitem').first()).toBeVisible();
  };
  await seeAll();
  await expect(page).toHaveURL(`${ORIGIN}/parks`);
  await expect.poll(() => device.count('SplashScreen.hide')).toBe(1);
  // The app starts without its configuration, and then without any network at all.
  await context.route(`${site.url}/config.json`, (route) => route.abort());
  await page.reload();
  await expect(main(page).getByRole('listitem').first()).toBeVisible();
  await context.route(`${site.url}/**`, (route) => route.abort());
  await context.route('**/tiles/**', (route) => route.abort());
  await page.goto('/');
  await seeAll();
});

test('a first start without a network shows a message and continues once online', async ({
  openShell,
  site,
}) => {
  const { page } = await openShell({ down: true });
  await expect(
    page.getByRole('heading', { name: 'Packpark needs the internet for its first start.' }),
  ).toBeVisible();
  await page.unroute(`${site.url}/**`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: 'Parks', exact: true })).toBeVisible();
});

for (const platform of ['android', 'ios'] as const) {
  test(`on ${platform} the session is in the secure storage only`, async ({ openShell, site }) => {
    const user = await site.user();
    const { page, device } = await openShell({ at: '/about', platform });
    await openLogin(page);
    await logIn(page, user);
    const key = platform === 'android' ? SESSION : 'packpark-session';
    await expect.poll(() => device.secrets.get(key)).toContain(user.id);
    const open = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(open).not.toContain('access_token');
    expect(open).not.toContain('refresh_token');

    await page.reload();
    await expect(page).toHaveURL(`${ORIGIN}/profile/${user.id}/dogs`);
    await logOut(page);
    await expect.poll(() => device.secrets.get(key)).toBeUndefined();
  });
}

test('data that an older installation left in the keychain is ignored', async ({
  openShell,
  site,
}) => {
  const user = await site.user();
  const { page, device } = await openShell({
    at: '/about',
    platform: 'ios',
    prepare: (device) => device.secrets.set('packpark-session', JSON.stringify(user.session)),
  });
  await expect(page.getByRole('link', { name: 'Log in', exact: true })).toBeVisible();
  await expect.poll(() => device.secrets.has('packpark-session')).toBe(false);
});
