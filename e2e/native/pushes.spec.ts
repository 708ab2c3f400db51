// Push notifications in a native app: when they are offered, which user receives them, and what a tap opens.
import { ORIGIN, test } from '../support/native-shell.ts';
import { befriend, inviteTo } from '../support/fixtures.ts';
import { expect, type TestUser } from '../support/test.ts';
import { settled } from '../support/navigation.ts';
import { ready, logIn, logOut, openLogin, tokensOf } from '../support/native-driver.ts';

test.describe('push notifications', () => {
  test('are offered where they help, cleared when the app opens, and end at logout', async ({
    openShell,
    site,
  }) => {
    const user = await site.user();
    const { page, device } = await openShell({ at: '/about', user });
    await ready(device);
    await expect
      .poll(
        () => device.calls.find(({ name }) => name === 'PushNotifications.createChannel')?.options,
      )
      .toEqual({ id: 'default', name: 'Friends and invitations', importance: 3 });
    expect(device.count('PushNotifications.requestPermissions')).toBe(0);
    expect(device.count('PushNotifications.register')).toBe(0);

    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await expect
      .poll(() => tokensOf(site, user))
      .toMatchObject([{ token: 'device-token-1', platform: 'android' }]);
    const [saved] = await tokensOf(site, user);
    expect(await page.evaluate(() => localStorage.getItem('device_id'))).toBe(saved?.device_id);
    await expect(page.getByRole('button', { name: 'Turn on' })).toBeHidden();
    const closed = () => device.count('PushNotifications.removeAllDeliveredNotifications');
    await expect.poll(closed).toBe(1);
    await device.emit('App', 'resume', {});
    await expect.poll(closed).toBe(2);

    // The push service may change the token at any time.
    await device.emit('PushNotifications', 'registration', { value: 'device-token-2' });
    await expect
      .poll(() => tokensOf(site, user))
      .toMatchObject([{ token: 'device-token-2', device_id: saved?.device_id }]);

    await logOut(page);
    await expect.poll(() => tokensOf(site, user)).toEqual([]);
    // Polls, because the device unregisters only after the server's response.
    await expect.poll(() => device.count('PushNotifications.unregister')).toBe(1);
  });

  test('move to the next user who logs in on the device', async ({ openShell, site }) => {
    const [first, second] = [await site.user(), await site.user()];
    const { page, context, device } = await openShell({
      at: '/about',
      user: first,
      prepare: (device) => {
        device.push = 'granted';
      },
    });
    await expect.poll(() => tokensOf(site, first)).toHaveLength(1);
    // While offline, the app cannot unregister the device at the server, but it does so once it is online.
    await context.setOffline(true);
    await logOut(page);
    expect(device.count('PushNotifications.unregister')).toBe(0);
    await context.setOffline(false);
    await expect.poll(() => device.count('PushNotifications.unregister')).toBe(1);
    device.token = 'device-token-2';
    await openLogin(page);
    await logIn(page, second);
    await expect.poll(() => tokensOf(site, second)).toMatchObject([{ token: 'device-token-2' }]);
    expect(await tokensOf(site, first)).toEqual([]);
  });

  test('that are disabled on the device lead to its settings', async ({ openShell, site }) => {
    const user = await site.user();
    const { page, device } = await openShell({
      at: '/about',
      user,
      prepare: (device) => {
        device.push = 'denied';
      },
    });
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByRole('button', { name: 'Open settings' }).click();
    await expect.poll(() => device.count('NativeSettings.open')).toBe(1);
    // The user returns to the app after allowing notifications in the device's settings.
    device.push = 'granted';
    await device.emit('App', 'resume', {});
    await expect.poll(() => tokensOf(site, user)).toHaveLength(1);
  });

  test('are not mentioned in a build that cannot receive them', async ({ openShell, site }) => {
    const user = await site.user();
    const { page, device } = await openShell({ at: '/about', user, push: false });
    await page.getByRole('link', { name: 'Notifications' }).click();
    await expect(page.getByText('All quiet.')).toBeVisible();
    await ready(device);
    await settled(page);
    await expect(page.getByRole('button', { name: 'Turn on' })).toBeHidden();
    expect(device.calls.filter(({ name }) => name.startsWith('PushNotifications.'))).toEqual([]);
  });

  test('open the park of an invite, also at the start, and mark it as read', async ({
    openShell,
    site,
  }) => {
    const [noa, yoni] = [await site.user('Noa'), await site.user('Yoni')];
    await befriend(noa, yoni);
    const { error } = await inviteTo(noa, yoni, 3, 1);
    expect(error).toBeNull();
    const notificationOf = async (user: TestUser, type: string) => {
      const [row] = await site.sql<{ id: string; read_at: string | null }>(
        'select id, read_at from public.notifications where receiver_id = $1 and type::text = $2 and is_ready',
        [user.id, type],
      );
      return row;
    };
    await expect.poll(() => notificationOf(yoni, 'parkInvite')).toBeTruthy();
    const invite = await notificationOf(yoni, 'parkInvite');
    const tap = (type: string, notification_id = '', more = {}) => ({
      actionId: 'tap',
      notification: { id: '1', data: { type, notification_id, ...more } },
    });

    const { page, device } = await openShell({
      user: yoni,
      prepare: (device) =>
        void device.emit(
          'PushNotifications',
          'pushNotificationActionPerformed',
          tap('parkInvite', invite?.id, { park_id: '3' }),
          true,
        ),
    });
    await expect(page).toHaveURL(`${ORIGIN}/parks/3`);
    await expect.poll(async () => (await notificationOf(yoni, 'parkInvite'))?.read_at).toBeTruthy();

    // A tap on an approval opens the user's page. A tap on a request opens the page with its buttons, and other taps open the list.
    const told = (data: unknown) =>
      device.emit('PushNotifications', 'pushNotificationActionPerformed', data);
    await told(tap('somethingNew', '', { park_id: '../../login' }));
    await expect(page).toHaveURL(`${ORIGIN}/notifications`);

    const approval = await notificationOf(noa, 'friendApproval');
    const hers = await openShell({ user: noa });
    await ready(hers.device);
    await hers.device.emit(
      'PushNotifications',
      'pushNotificationActionPerformed',
      tap('friendApproval', approval?.id, { sender_id: yoni.id }),
    );
    await expect(hers.page).toHaveURL(new RegExp(`/profile/${yoni.id}`));
  });
});
