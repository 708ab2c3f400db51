// The app in a shell, from its first start to its last tap: session, links, pushes, the back button and the device's own parts.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { addDog } from '../support/fixtures.ts';
import { expect, test, type Person, type Site } from '../support/test.ts';
import { homeMap, NEAREST } from '../support/home-driver.ts';
import { fillLogin } from '../support/login-driver.ts';
import { openShell, ORIGIN, type Device } from '../support/native-shell.ts';
import { settled } from '../support/tour.ts';

const SESSION = 'capacitor-storage_packpark-session';
const main = (page: Page) => page.getByRole('main');
const toasts = (page: Page) => page.getByText('This link cannot log you in.');

/** What the app says that it listens to, once its first screen stands; each in its own time. */
const LISTENED: [plugin: string, event: string][] = [
  ['App', 'appUrlOpen'],
  ['App', 'backButton'],
  ['Keyboard', 'keyboardDidShow'],
  ['Keyboard', 'keyboardDidHide'],
  ['PushNotifications', 'pushNotificationActionPerformed'],
];
const ready = (device: Device) =>
  expect
    .poll(() => LISTENED.filter(([plugin, event]) => !device.listensTo(plugin, event)))
    .toEqual([]);

const openLink = (device: Device, url: string) => device.emit('App', 'appUrlOpen', { url });
const pressBack = (device: Device) => device.emit('App', 'backButton', { canGoBack: false });

async function logIn(page: Page, person: Person): Promise<void> {
  await fillLogin(page, person.email, person.password);
  await main(page).getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL(`${ORIGIN}/profile/${person.id}/dogs`);
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Log in', exact: true }).first()).toBeVisible();
}

const tokensOf = (site: Site, person: Person) =>
  site.sql<{ token: string; platform: string; device_id: string }>(
    'select token, platform, device_id from public.device_tokens where user_id = $1',
    [person.id],
  );

/** Begins a login with Google and answers the address that it has to come back to. */
async function beginProviderLogin(page: Page, device: Device): Promise<URL> {
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await expect.poll(() => device.count('Browser.open')).toBe(1);
  const opened = new URL(
    String(device.calls.find(({ name }) => name === 'Browser.open')?.options.url),
  );
  return new URL(opened.searchParams.get('redirect_to') ?? '');
}

test('the app starts from the device and talks to its site', async ({ browser, site }) => {
  const { page, context, device } = await openShell(browser, site);
  await page.getByRole('link', { name: 'Parks', exact: true }).click();
  await expect(main(page).getByRole('listitem').first()).toBeVisible();
  expect(page.url()).toBe(`${ORIGIN}/parks`);
  await expect.poll(() => device.count('SplashScreen.hide')).toBe(1);
  await context.close();
});

test('the second start needs no network for its configuration', async ({ browser, site }) => {
  const { page, context } = await openShell(browser, site);
  await expect(page.getByRole('link', { name: 'Parks', exact: true })).toBeVisible();
  await context.route(`${site.url}/config.json`, (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('link', { name: 'Parks', exact: true })).toBeVisible();
  await context.close();
});

test('after that, parks and map are there without any network', async ({ browser, site }) => {
  const { page, context } = await openShell(browser, site);
  const { marker } = homeMap(page);
  const tiles = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll<HTMLImageElement>('img.leaflet-tile')].filter(
          (tile) => tile.complete && tile.naturalWidth > 0,
        ).length,
    );
  await expect(marker(NEAREST.en)).toBeVisible();
  await expect.poll(tiles).toBeGreaterThan(3);
  await page.getByRole('link', { name: 'Parks', exact: true }).click();
  await expect(main(page).getByRole('listitem').first()).toBeVisible();
  await context.route(`${site.url}/**`, (route) => route.abort());
  await context.route('**/tiles/**', (route) => route.abort());
  await page.goto('/');
  await expect(marker(NEAREST.en)).toBeVisible();
  await expect.poll(tiles).toBeGreaterThan(3);
  await page.getByRole('link', { name: 'Parks', exact: true }).click();
  await expect(main(page).getByRole('listitem').first()).toBeVisible();
  await context.close();
});

test('a first start without a network says so, and goes on when there is one', async ({
  browser,
  site,
}) => {
  const { page, context } = await openShell(browser, site, { down: true });
  await expect(
    page.getByRole('heading', { name: 'Packpark needs the internet for its first start.' }),
  ).toBeVisible();
  await context.unroute(`${site.url}/**`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: 'Parks', exact: true })).toBeVisible();
  await context.close();
});

for (const platform of ['android', 'ios'] as const) {
  test(`on ${platform} the session lies in the device's secure storage, and nowhere else`, async ({
    browser,
    site,
  }) => {
    const person = await site.person();
    const { page, context, device } = await openShell(browser, site, { platform });
    await page.goto('/login');
    await logIn(page, person);
    const key = platform === 'android' ? SESSION : 'packpark-session';
    await expect.poll(() => device.secrets.get(key)).toContain(person.id);
    const open = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(open).not.toContain('access_token');
    expect(open).not.toContain('refresh_token');

    await page.reload();
    await expect(page).toHaveURL(`${ORIGIN}/profile/${person.id}/dogs`);
    await logOut(page);
    await expect.poll(() => device.secrets.get(key)).toBeUndefined();
    await context.close();
  });
}

test('what an earlier installation left in the keychain logs nobody in', async ({
  browser,
  site,
}) => {
  const person = await site.person();
  const { page, context, device } = await openShell(browser, site, {
    platform: 'ios',
    arrange: (device) => device.secrets.set('packpark-session', JSON.stringify(person.session)),
  });
  await expect(page.getByRole('link', { name: 'Log in', exact: true })).toBeVisible();
  await expect.poll(() => device.secrets.has('packpark-session')).toBe(false);
  await context.close();
});

test.describe('links', () => {
  test('open parks, also the one that starts the app, and never twice', async ({
    browser,
    site,
  }) => {
    const { page, context, device } = await openShell(browser, site, {
      arrange: (device) => {
        device.launchUrl = `${site.url}/share/parks/1`;
      },
    });
    await expect(page).toHaveURL(`${ORIGIN}/parks/1`);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.reload();
    await ready(device);
    await expect(page).toHaveURL(`${ORIGIN}/`);
    await openLink(device, 'packpark://parks/2/reviews');
    await expect(page).toHaveURL(`${ORIGIN}/parks/2/reviews`);
    // Opened again, the first one would lie between.
    await pressBack(device);
    await expect(page).toHaveURL(`${ORIGIN}/`);
    await context.close();
  });

  test('of strangers open nothing', async ({ browser, site }) => {
    const { page, context, device } = await openShell(browser, site);
    await ready(device);
    for (const url of [
      'https://evil.example/parks/1',
      'packpark://login?next=//evil.example',
      'javascript:alert(1)',
    ])
      await openLink(device, url);
    await openLink(device, 'packpark://parks/1');
    await expect(page).toHaveURL(`${ORIGIN}/parks/1`);
    await pressBack(device);
    await expect(page).toHaveURL(`${ORIGIN}/`);
    await context.close();
  });

  test('to one’s own profile lead there, or to the login', async ({ browser, site }) => {
    const person = await site.person();
    const { page, context, device } = await openShell(browser, site);
    await ready(device);
    await openLink(device, 'packpark://profile');
    await expect(page).toHaveURL(/\/login\?mode=login/);
    await logIn(page, person);
    await openLink(device, 'packpark://parks/1');
    await expect(page).toHaveURL(`${ORIGIN}/parks/1`);
    await openLink(device, 'packpark://profile');
    await expect(page).toHaveURL(`${ORIGIN}/profile/${person.id}/dogs`);
    await context.close();
  });
});

test.describe('a login by a link', () => {
  test('sets the session from its tokens, once, when this app asked for it', async ({
    browser,
    site,
  }) => {
    const person = await site.person();
    const { page, context, device } = await openShell(browser, site, { providers: true });
    await ready(device);
    await page.goto('/login');
    await ready(device);
    const back = await beginProviderLogin(page, device);
    expect(back.protocol).toBe('packpark:');
    const { access_token, refresh_token } = person.session;
    const link = `${back.href}#access_token=${access_token}&refresh_token=${refresh_token}&token_type=bearer`;
    await openLink(device, link);
    await expect(page).toHaveURL(`${ORIGIN}/profile/${person.id}/dogs`);
    await expect.poll(() => device.count('Browser.close')).toBe(1);

    await logOut(page);
    await openLink(device, link);
    await expect(toasts(page)).toBeVisible();
    expect(device.secrets.has(SESSION)).toBe(false);
    await context.close();
  });

  test('that nobody asked for is refused: it would log the person in as somebody else', async ({
    browser,
    site,
  }) => {
    const attacker = await site.person('Attacker');
    const { access_token, refresh_token } = attacker.session;
    const tokens = `#access_token=${access_token}&refresh_token=${refresh_token}`;
    const { page, context, device } = await openShell(browser, site, { providers: true });
    await page.goto('/login');
    await ready(device);
    // Also while a login is under way, and with a guessed secret.
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
      await page.goto('/about');
      await ready(device);
      await openLink(device, forged);
      // Shown for seconds, so it is looked for first.
      await expect(toasts(page), forged).toBeVisible();
      await expect(page, forged).toHaveURL(`${ORIGIN}/`);
    }
    expect(device.secrets.has(SESSION)).toBe(false);
    // The login that was under way is still good.
    const person = await site.person();
    await openLink(
      device,
      `${back.href}#access_token=${person.session.access_token}&refresh_token=${person.session.refresh_token}`,
    );
    await expect(page).toHaveURL(`${ORIGIN}/profile/${person.id}/dogs`);
    await context.close();
  });

  test('replaces no session of somebody who is logged in', async ({ browser, site }) => {
    const [person, attacker] = [await site.person(), await site.person('Attacker')];
    const { page, context, device } = await openShell(browser, site, { person });
    await ready(device);
    const { access_token, refresh_token } = attacker.session;
    await openLink(
      device,
      `packpark://auth-callback#access_token=${access_token}&refresh_token=${refresh_token}`,
    );
    await expect(toasts(page)).toBeVisible();
    await openLink(device, 'packpark://profile');
    await expect(page).toHaveURL(`${ORIGIN}/profile/${person.id}/dogs`);
    await context.close();
  });

  test('with tokens that are no good goes home; with a user that cannot be fetched to the login', async ({
    browser,
    site,
  }) => {
    const person = await site.person();
    const { page, context, device } = await openShell(browser, site, { providers: true });
    await page.goto('/login');
    await ready(device);
    const back = await beginProviderLogin(page, device);
    await openLink(device, `${back.href}#access_token=a.b.c&refresh_token=no`);
    await expect(toasts(page)).toBeVisible();
    await expect(page).toHaveURL(`${ORIGIN}/`);

    device.calls.length = 0;
    await page.goto('/login');
    await ready(device);
    const again = await beginProviderLogin(page, device);
    const { access_token, refresh_token } = person.session;
    let asked = 0;
    // The first is the client's own, the second ours.
    await context.route(`${site.url}/auth/v1/user`, (route) =>
      (asked += 1) > 1
        ? route.fulfill({ status: 404, json: { code: 404, error_code: 'user_not_found' } })
        : route.continue(),
    );
    await openLink(
      device,
      `${again.href}#access_token=${access_token}&refresh_token=${refresh_token}`,
    );
    await expect(page).toHaveURL(/\/login\?mode=login/);
    await context.close();
  });
});

test('a mail that was asked for in the app and opened in the browser leads back and logs in there', async ({
  browser,
  site,
  page: web,
}) => {
  const person = await site.person();
  const { page, context, device } = await openShell(browser, site);
  await page.goto('/login?mode=forgot');
  await ready(device);
  await main(page).getByLabel('Email').fill(person.email);
  await main(page).getByRole('button').last().click();
  let link = '';
  await expect
    .poll(async () => {
      const [mail] = await site.sql<{ plain: string }>(
        'select plain from auth.local_mails where recipient = $1 order by id desc limit 1',
        [person.email],
      );
      link = /https?:\/\/\S+/.exec(mail?.plain ?? '')?.[0] ?? '';
      return link;
    })
    .not.toBe('');
  await web.goto(link);
  const toApp = web.getByRole('link', { name: 'Open in the app' });
  await expect(toApp).toBeVisible();
  const ours = (await toApp.getAttribute('href')) ?? '';
  // Neither a stranger's code nor a try without a network uses up what this device holds for ours.
  await openLink(device, 'packpark://email-callback?code=0d5f6f3e-1111-4222-8333-444455556666');
  await expect(toasts(page)).toBeVisible();
  await context.setOffline(true);
  await openLink(device, ours);
  // Not the banner, which is there before the try; the screen below may say it, too.
  await expect(page.getByText('No internet connection', { exact: true }).first()).toBeVisible();
  await context.setOffline(false);
  await openLink(device, ours);
  await expect(page).toHaveURL(`${ORIGIN}/update-password`);
  await expect(main(page).getByLabel('New password')).toBeVisible();
  await context.close();
});

test.describe('pushes', () => {
  test('are asked for where they help, reach this device until the logout, and never on load', async ({
    browser,
    site,
  }) => {
    const person = await site.person();
    const { page, context, device } = await openShell(browser, site, { person });
    await ready(device);
    await expect
      .poll(
        () => device.calls.find(({ name }) => name === 'PushNotifications.createChannel')?.options,
      )
      .toEqual({
        id: 'default',
        name: 'Friends and invitations',
        importance: 3,
      });
    expect(device.count('PushNotifications.requestPermissions')).toBe(0);
    expect(device.count('PushNotifications.register')).toBe(0);

    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await expect
      .poll(() => tokensOf(site, person))
      .toMatchObject([{ token: 'device-token-1', platform: 'android' }]);
    const [saved] = await tokensOf(site, person);
    expect(await page.evaluate(() => localStorage.getItem('device_id'))).toBe(saved?.device_id);
    await expect(page.getByRole('button', { name: 'Turn on' })).toBeHidden();

    // The push service may change it at any time.
    await device.emit('PushNotifications', 'registration', { value: 'device-token-2' });
    await expect
      .poll(() => tokensOf(site, person))
      .toMatchObject([{ token: 'device-token-2', device_id: saved?.device_id }]);

    await logOut(page);
    await expect.poll(() => tokensOf(site, person)).toEqual([]);
    expect(device.count('PushNotifications.unregister')).toBe(1);
    await context.close();
  });

  test('move with the device to whoever logs in next', async ({ browser, site }) => {
    const [first, second] = [await site.person(), await site.person()];
    const { page, context, device } = await openShell(browser, site, {
      person: first,
      arrange: (device) => {
        device.push = 'granted';
      },
    });
    await expect.poll(() => tokensOf(site, first)).toHaveLength(1);
    // Without a network nobody can be told, but the token dies as soon as there is one.
    await context.setOffline(true);
    await logOut(page);
    expect(device.count('PushNotifications.unregister')).toBe(0);
    await context.setOffline(false);
    await expect.poll(() => device.count('PushNotifications.unregister')).toBe(1);
    device.token = 'device-token-2';
    await page.goto('/login');
    await logIn(page, second);
    await expect.poll(() => tokensOf(site, second)).toMatchObject([{ token: 'device-token-2' }]);
    expect(await tokensOf(site, first)).toEqual([]);
    await context.close();
  });

  test('that are switched off on the device lead to its settings', async ({ browser, site }) => {
    const person = await site.person();
    const { page, context, device } = await openShell(browser, site, {
      person,
      arrange: (device) => {
        device.push = 'denied';
      },
    });
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByRole('button', { name: 'Open settings' }).click();
    await expect.poll(() => device.count('NativeSettings.open')).toBe(1);
    // Back with another answer.
    device.push = 'granted';
    await device.emit('App', 'resume', {});
    await expect.poll(() => tokensOf(site, person)).toHaveLength(1);
    await context.close();
  });

  test('are not spoken of in a build that cannot receive them', async ({ browser, site }) => {
    const person = await site.person();
    const { page, context, device } = await openShell(browser, site, { person, push: false });
    await page.getByRole('link', { name: 'Notifications' }).click();
    await expect(page.getByText('All quiet.')).toBeVisible();
    await ready(device);
    await settled(page);
    await expect(page.getByRole('button', { name: 'Turn on' })).toBeHidden();
    expect(device.calls.filter(({ name }) => name.startsWith('PushNotifications.'))).toEqual([]);
    await context.close();
  });

  test('open the park of an invite and are read, also the one that starts the app', async ({
    browser,
    site,
  }) => {
    const [noa, yoni] = [await site.person('Noa'), await site.person('Yoni')];
    await noa.client.rpc('send_friend_request', { p_user_id: yoni.id });
    await yoni.client.rpc('accept_friend_request', { p_user_id: noa.id });
    const { error } = await noa.client.rpc('invite_to_park', {
      p_park_id: 3,
      p_friend_ids: [yoni.id],
      p_meet_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect(error).toBeNull();
    const notificationOf = async (person: Person, type: string) => {
      const [row] = await site.sql<{ id: string; read_at: string | null }>(
        'select id, read_at from public.notifications where receiver_id = $1 and type::text = $2 and is_ready',
        [person.id, type],
      );
      return row;
    };
    await expect.poll(() => notificationOf(yoni, 'parkInvite')).toBeTruthy();
    const invite = await notificationOf(yoni, 'parkInvite');
    const tap = (type: string, notification_id = '', more = {}) => ({
      actionId: 'tap',
      notification: { id: '1', data: { type, notification_id, ...more } },
    });

    const { page, context, device } = await openShell(browser, site, {
      person: yoni,
      arrange: (device) =>
        void device.emit(
          'PushNotifications',
          'pushNotificationActionPerformed',
          tap('parkInvite', invite?.id, { park_id: '3' }),
          true,
        ),
    });
    await expect(page).toHaveURL(`${ORIGIN}/parks/3`);
    await expect.poll(async () => (await notificationOf(yoni, 'parkInvite'))?.read_at).toBeTruthy();

    // An approval leads to the person, a request to where it is answered, anything strange to the list.
    const told = (data: unknown) =>
      device.emit('PushNotifications', 'pushNotificationActionPerformed', data);
    await told(tap('somethingNew', '', { park_id: '../../login' }));
    await expect(page).toHaveURL(`${ORIGIN}/notifications`);
    await context.close();

    const approval = await notificationOf(noa, 'friendApproval');
    const hers = await openShell(browser, site, { person: noa });
    await ready(hers.device);
    await hers.device.emit(
      'PushNotifications',
      'pushNotificationActionPerformed',
      tap('friendApproval', approval?.id, { sender_id: yoni.id }),
    );
    await expect(hers.page).toHaveURL(new RegExp(`/profile/${yoni.id}`));
    await hers.context.close();
  });
});

test('the back button closes what is open, then goes back, then home, then leaves', async ({
  browser,
  site,
}) => {
  const { page, context, device } = await openShell(browser, site);
  await ready(device);
  // Where there is no way back that could be held, what is open still closes before the app.
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await pressBack(device);
  await expect(page.getByRole('dialog')).toBeHidden();
  await openLink(device, 'packpark://parks');
  await expect(page).toHaveURL(`${ORIGIN}/parks`);
  await openLink(device, 'packpark://parks/1');
  await expect(page).toHaveURL(`${ORIGIN}/parks/1`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await pressBack(device);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(`${ORIGIN}/parks/1`);
  await pressBack(device);
  await expect(page).toHaveURL(`${ORIGIN}/parks`);
  await pressBack(device);
  await expect(page).toHaveURL(`${ORIGIN}/`);
  expect(device.count('App.exitApp')).toBe(0);
  await pressBack(device);
  await expect.poll(() => device.count('App.exitApp')).toBe(1);
  await context.close();
});

test('a check-in is felt', async ({ browser, site }) => {
  const person = await site.person();
  const { page, context, device } = await openShell(browser, site, { person });
  await ready(device);
  await openLink(device, 'packpark://parks/1');
  await page.getByRole('button', { name: 'Check in here' }).click();
  expect(device.count('Haptics.notification')).toBe(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
  await expect.poll(() => device.count('Haptics.notification')).toBe(1);
  await context.close();
});

test('the device finds the place; after a no its settings are one tap away', async ({
  browser,
  site,
}) => {
  const { page, context, device } = await openShell(browser, site, {
    arrange: (device) => {
      device.location = 'denied';
    },
  });
  await expect(page.getByText('We couldn’t access your location.')).toBeVisible();
  await page.getByRole('button', { name: 'Open settings' }).click();
  await expect
    .poll(() => device.calls.find(({ name }) => name === 'NativeSettings.open')?.options)
    .toEqual({
      optionAndroid: 'application_details',
      optionIOS: 'app',
    });
  device.location = 'granted';
  await device.emit('App', 'resume', {});
  await expect.poll(() => device.count('Geolocation.getCurrentPosition')).toBeGreaterThan(0);
  await context.close();
});

test('a park is shared the device’s way, with a link of the site', async ({ browser, site }) => {
  const { page, context, device } = await openShell(browser, site);
  await ready(device);
  await openLink(device, 'packpark://parks/1');
  await page.getByRole('button', { name: 'Share', exact: false }).first().click();
  await expect
    .poll(() => device.calls.find(({ name }) => name === 'Share.share')?.options.url)
    .toBe(`${site.url}/share/parks/1`);
  await context.close();
});

test('the camera gives a dog its photo; a change of mind leaves everything as it was', async ({
  browser,
  site,
}) => {
  const person = await site.person();
  const dogId = await addDog(person, 'Rex');
  const { page, context, device } = await openShell(browser, site, { person });
  await ready(device);
  await openLink(device, `packpark://profile/${person.id}/dogs/${dogId}`);
  await page.getByRole('button', { name: 'Add a photo' }).click();
  device.answers['Camera.getPhoto'] = () => {
    throw new Error('User cancelled photos app');
  };
  await page.getByRole('button', { name: 'Choose from this device' }).click();
  await expect.poll(() => device.count('Camera.getPhoto')).toBe(1);
  await expect(page.getByRole('button', { name: 'Take a photo' })).toBeVisible();

  device.answers['Camera.getPhoto'] = () => ({
    webPath: `${ORIGIN}/icons/icon-512.png`,
    format: 'png',
  });
  await page.getByRole('button', { name: 'Take a photo' }).click();
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await expect(main(page).getByRole('img', { name: 'Photo of Rex' })).toBeVisible();
  expect(
    device.calls
      .filter(({ name }) => name === 'Camera.getPhoto')
      .map(({ options }) => options.source),
  ).toEqual(['PHOTOS', 'CAMERA']);
  await context.close();
});

test('nothing lies under the notch or the home bar', async ({ browser, site }) => {
  const { page, context } = await openShell(browser, site, { platform: 'ios' });
  const devtools = await context.newCDPSession(page);
  await devtools.send(
    'Emulation.setSafeAreaInsetsOverride' as never,
    {
      insets: { top: 47, bottom: 34, left: 0, right: 0 },
    } as never,
  );
  await page.getByRole('link', { name: 'Parks', exact: true }).click();
  const heading = main(page).getByRole('heading', { level: 1 });
  await expect.poll(async () => (await heading.boundingBox())?.y).toBeGreaterThan(47);
  const lowest = async () => {
    const link = await page.getByRole('link', { name: 'Home', exact: true }).boundingBox();
    return link && link.y + link.height;
  };
  await expect.poll(lowest).toBeLessThanOrEqual(844 - 34);
  await context.close();
});

test('with the keyboard up the navbar makes room', async ({ browser, site }) => {
  const { page, context, device } = await openShell(browser, site);
  await ready(device);
  const navbar = page.getByRole('navigation', { name: 'Main navigation' });
  await expect(navbar).toBeVisible();
  await device.emit('Keyboard', 'keyboardDidShow', { keyboardHeight: 300 });
  await expect(navbar).toBeHidden();
  await device.emit('Keyboard', 'keyboardDidHide', {});
  await expect(navbar).toBeVisible();
  await context.close();
});

test('the status bar stands above the page and follows the theme, or the device where that decides', async ({
  browser,
  site,
}) => {
  const { page, context, device } = await openShell(browser, site);
  await ready(device);
  const bars = () =>
    device.calls
      .filter(({ name }) => name === 'StatusBar.setStyle')
      .map(({ options }) => options.style);
  await expect.poll(bars).toEqual(['LIGHT']);
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await expect.poll(() => bars().at(-1)).toBe('DARK');
  for (const { options } of device.calls.filter(
    ({ name }) => name === 'StatusBar.setOverlaysWebView',
  ))
    expect(options).toEqual({ overlay: false });
  expect(device.count('StatusBar.setOverlaysWebView')).toBe(2);
  device.edgeToEdge = true;
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'light';
  });
  await expect.poll(() => bars().at(-1)).toBe('DEFAULT');
  await context.close();
});
