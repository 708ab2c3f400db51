// Links in a shell: which open the app, which log in, and which do neither.
import { randomUUID } from 'node:crypto';
import { ORIGIN, test } from '../support/native-shell.ts';
import { mailTo, pressLink } from '../support/login-driver.ts';
import { expect } from '../support/test.ts';
import {
  main,
  toasts,
  ready,
  openLink,
  pressBack,
  logIn,
  openLogin,
  logOut,
  beginProviderLogin,
} from '../support/native-driver.ts';

const SESSION = 'capacitor-storage_packpark-session';

test.describe('links', () => {
  test("open parks, also when they start the app, only once, and only for the site's own links", async ({
    openShell,
    site,
  }) => {
    const { page, device } = await openShell({
      prepare: (device) => {
        device.launchUrl = `${site.url}/share/parks/1`;
      },
    });
    await expect(page).toHaveURL(`${ORIGIN}/parks/1`);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await expect(page).toHaveURL(`${ORIGIN}/`);
    await page.reload();
    await ready(device);
    await expect(page).toHaveURL(`${ORIGIN}/`);
    await openLink(device, 'packpark://parks/2/reviews');
    await expect(page).toHaveURL(`${ORIGIN}/parks/2/reviews`);
    // If the app had opened the first link twice, going back would show it again.
    await pressBack(device);
    await expect(page).toHaveURL(`${ORIGIN}/`);
    // Foreign links open nothing.
    for (const url of [
      'https://evil.example/parks/3',
      'packpark://login?next=//evil.example',
      'javascript:alert(1)',
    ])
      await openLink(device, url);
    await openLink(device, 'packpark://parks/1');
    await expect(page).toHaveURL(`${ORIGIN}/parks/1`);
    await pressBack(device);
    await expect(page).toHaveURL(`${ORIGIN}/`);
  });

  test("to the user's own profile lead there, or to the login", async ({ openShell, site }) => {
    const user = await site.user();
    const { page, device } = await openShell();
    await ready(device);
    await openLink(device, 'packpark://profile');
    await expect(page).toHaveURL(/\/login\?mode=login/);
    await logIn(page, user);
    await openLink(device, 'packpark://parks/1');
    await expect(page).toHaveURL(`${ORIGIN}/parks/1`);
    await openLink(device, 'packpark://profile');
    await expect(page).toHaveURL(`${ORIGIN}/profile/${user.id}/dogs`);
  });
});

test.describe('a login by a link', () => {
  test('sets the session once, if this app requested it', async ({ openShell, site }) => {
    const user = await site.user();
    const { page, device } = await openShell({ at: '/about', providers: true });
    await ready(device);
    await openLogin(page);
    const back = await beginProviderLogin(page, device);
    expect(back.protocol).toBe('packpark:');
    const { access_token, refresh_token } = user.session;
    const link = `${back.href}#access_token=${access_token}&refresh_token=${refresh_token}&token_type=bearer`;
    await openLink(device, link);
    await expect(page).toHaveURL(`${ORIGIN}/profile/${user.id}/dogs`);
    await expect.poll(() => device.count('Browser.close')).toBe(1);
    await page.getByRole('button', { name: 'Skip' }).click();

    await logOut(page);
    await expect.poll(() => device.secrets.has(SESSION)).toBe(false);
    await openLink(device, link);
    await expect(toasts(page)).toBeVisible();
    expect(device.secrets.has(SESSION)).toBe(false);
  });

  test("that was not requested is rejected, like another user's", async ({ openShell, site }) => {
    const attacker = await site.user('Attacker');
    const { access_token, refresh_token } = attacker.session;
    const tokens = `#access_token=${access_token}&refresh_token=${refresh_token}`;
    const { page, device } = await openShell({ at: '/about', providers: true });
    await ready(device);
    await openLogin(page);
    // Forged links are rejected even while a login is in progress, and with a guessed secret.
    const back = await beginProviderLogin(page, device);
    for (const forged of [
      `packpark://auth-callback${tokens}`,
      `packpark://auth-callback?app_state=${randomUUID()}${tokens}`,
      `packpark://email-callback?type=signup&token_hash=abc${tokens}`,
      `packpark://update-password${tokens}`,
      `${site.url}/auth-callback${tokens}`,
      'packpark://auth-callback?code=0d5f6f3e-1111-4222-8333-444455556666',
      'packpark://email-callback?code=0d5f6f3e-1111-4222-8333-444455556666',
    ]) {
      await openLink(device, 'packpark://users');
      await expect(page).toHaveURL(`${ORIGIN}/users`);
      await openLink(device, forged);
      // Checked first, because it is shown for seconds only.
      await expect(toasts(page), forged).toBeVisible();
      await expect(page, forged).toHaveURL(`${ORIGIN}/`);
      // A script clicks the button, because the toast may disappear at any time.
      await page.evaluate(() =>
        document.querySelector<HTMLElement>('button[title=Dismiss]')?.click(),
      );
      await expect(toasts(page)).toHaveCount(0);
    }
    expect(device.secrets.has(SESSION)).toBe(false);
    // The login in progress is still valid, even after a restart.
    await page.reload();
    await ready(device);
    const user = await site.user();
    await openLink(
      device,
      `${back.href}#access_token=${user.session.access_token}&refresh_token=${user.session.refresh_token}`,
    );
    await expect(page).toHaveURL(`${ORIGIN}/profile/${user.id}/dogs`);
  });

  test('does not replace the session of a logged-in user', async ({ openShell, site }) => {
    const [user, attacker] = [await site.user(), await site.user('Attacker')];
    const { page, device } = await openShell({ at: '/about', user });
    await ready(device);
    const { access_token, refresh_token } = attacker.session;
    await openLink(
      device,
      `packpark://auth-callback#access_token=${access_token}&refresh_token=${refresh_token}`,
    );
    await expect(toasts(page)).toBeVisible();
    await openLink(device, 'packpark://profile');
    await expect(page).toHaveURL(`${ORIGIN}/profile/${user.id}/dogs`);
  });

  test('with invalid tokens open the home screen, or the login if no user is logged in', async ({
    openShell,
    site,
  }) => {
    const user = await site.user();
    const { page, device } = await openShell({ at: '/about', providers: true });
    await ready(device);
    await openLogin(page);
    const back = await beginProviderLogin(page, device);
    await openLink(device, `${back.href}#access_token=a.b.c&refresh_token=no`);
    await expect(toasts(page)).toBeVisible();
    await expect(page).toHaveURL(`${ORIGIN}/`);
    // Waits for the title: when the URL changes, the screen still shows the login in progress.
    await expect(page).toHaveTitle(/Dog parks on the map/);

    device.calls.length = 0;
    await ready(device);
    await openLogin(page);
    const again = await beginProviderLogin(page, device);
    const { access_token, refresh_token } = user.session;
    let asked = 0;
    // The client library sends the first request, the app sends the second.
    await page.route(`${site.url}/auth/v1/user`, (route) =>
      (asked += 1) > 1
        ? route.fulfill({ status: 404, json: { code: 404, error_code: 'user_not_found' } })
        : route.continue(),
    );
    await openLink(
      device,
      `${again.href}#access_token=${access_token}&refresh_token=${refresh_token}`,
    );
    await expect(page).toHaveURL(/\/login\?mode=login/);
  });
});

test('a mail requested in the app and opened in the browser leads back and logs in there', async ({
  openShell,
  site,
  page: web,
}) => {
  const user = await site.user();
  const { page, context, device } = await openShell({ at: '/about' });
  await ready(device);
  await openLogin(page);
  await main(page).getByRole('link', { name: 'Forgot password?' }).click();
  await main(page).getByLabel('Email').fill(user.email);
  await main(page).getByRole('button', { name: 'Send', exact: true }).click();
  await pressLink(web, (await mailTo(site, user.email)).link);
  const toApp = web.getByRole('link', { name: 'Open in the app' });
  await expect(toApp).toBeVisible();
  const ours = (await toApp.getAttribute('href')) ?? '';
  // The device keeps its verifier after an attacker's code and after an attempt without a network, so the last link works.
  await openLink(device, 'packpark://email-callback?code=0d5f6f3e-1111-4222-8333-444455556666');
  await expect(toasts(page)).toBeVisible();
  await context.setOffline(true);
  await openLink(device, ours);
  // This message is from the failed attempt, not from the offline banner. The screen below may show the same text.
  await expect(page.getByText('No internet connection', { exact: true }).first()).toBeVisible();
  await context.setOffline(false);
  await openLink(device, ours);
  await expect(page).toHaveURL(`${ORIGIN}/update-password`);
  await expect(main(page).getByLabel('New password')).toBeVisible();
});
