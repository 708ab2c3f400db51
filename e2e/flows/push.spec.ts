// Web push: enabled by a tap, shown by the service worker, opened by a tap, disabled at logout.
import type { CDPSession } from '@playwright/test';
import { startWebPushService } from '../../testing/web-push-service.ts';
import { expect, test } from '../support/test.ts';
import { settled } from '../support/navigation.ts';

// Requests that the page sends during the logout may be rejected.
test.use({ serviceWorkers: 'allow', allowedErrors: [/status of 40[013]/] });

/** The browser's ID of the page's service worker registration. */
const registrationOf = (cdp: CDPSession, origin: string) =>
  new Promise<string>((resolve, reject) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (found) resolve(found.registrationId);
    });
    cdp.send('ServiceWorker.enable').catch(reject);
  });

test('is enabled by a tap, shown by the worker, and disabled at logout', async ({
  site,
  pageFor,
}) => {
  const me = await site.user();
  const service = await startWebPushService();
  const page = await pageFor(me);
  const { token } = service.browser();
  // Replaces Google's service, which assigns the endpoint.
  await page.addInitScript((made) => {
    const { endpoint, keys } = JSON.parse(made) as { endpoint: string; keys: object };
    const stored = () => sessionStorage.getItem('subscribed');
    const subscription = (key: string) => ({
      options: {
        applicationServerKey: Uint8Array.from(
          atob(key.replaceAll('-', '+').replaceAll('_', '/')),
          (letter) => letter.charCodeAt(0),
        ).buffer,
      },
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: () => {
        sessionStorage.removeItem('subscribed');
        return Promise.resolve(true);
      },
    });
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(stored() && subscription(stored() ?? '')),
      subscribe: ({ applicationServerKey }: { applicationServerKey: string }) => {
        sessionStorage.setItem('subscribed', applicationServerKey);
        return Promise.resolve(subscription(applicationServerKey));
      },
    });
    // Headless browsers have neither notifications nor app badges.
    Object.assign(navigator, { clearAppBadge: () => Promise.resolve() });
    ServiceWorkerRegistration.prototype.getNotifications = () =>
      Promise.resolve([
        { close: () => sessionStorage.setItem('closed', location.pathname) } as Notification,
      ]);
    const answer = () => sessionStorage.getItem('answer') ?? 'default';
    Object.defineProperty(Notification, 'permission', { get: answer });
    Notification.requestPermission = () => {
      sessionStorage.setItem('answer', 'granted');
      return Promise.resolve('granted');
    };
  }, token);
  await page.context().grantPermissions(['notifications']);
  const devices = () =>
    site.sql<{ endpoint: string; time_zone: string }>(
      'select endpoint, time_zone from private.push_subscriptions where user_id = $1',
      [me.id],
    );

  await page.goto('/notifications');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expect(await devices()).toEqual([]);
  await page.getByRole('button', { name: 'Turn on' }).click();
  const { endpoint } = JSON.parse(token) as { endpoint: string };
  await expect
    .poll(devices)
    .toEqual([{ endpoint, time_zone: expect.any(String) as unknown as string }]);
  const phones = await site.sql`select from public.device_tokens where user_id = ${me.id}`;
  expect(phones, 'device tokens are for native platforms only').toEqual([]);
  await expect(page.getByRole('button', { name: 'Turn on' })).toBeHidden();

  // The browser renews a subscription that it made with an outdated key of the site.
  const key = () => page.evaluate(() => sessionStorage.getItem('subscribed'));
  const own = await key();
  await page.evaluate(() => sessionStorage.setItem('subscribed', 'BAAA'));
  await page.reload();
  await expect.poll(key).toBe(own);

  const origin = new URL(site.url).origin;
  const cdp = await page.context().newCDPSession(page);
  const registrationId = await registrationOf(cdp, origin);
  const deliver = (data: string) =>
    cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('No worker');
  type Shown = { title: string; icon: undefined };
  await worker.evaluate(() => {
    const scope = globalThis as unknown as { registration: object; shown: Shown[] };
    scope.shown = [];
    Object.assign(navigator, { setAppBadge: () => Promise.resolve() });
    Object.assign(scope.registration, {
      showNotification: (title: string, options: object) =>
        Promise.resolve(scope.shown.push({ title, ...options, icon: undefined })),
    });
  });
  const shown = () =>
    worker.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown.slice(-1));
  const notification = {
    title: 'סכנה',
    body: 'רעל',
    lang: 'he',
    dir: 'rtl',
    tag: 'one',
    navigate: `${origin}/about?from=push`,
  };
  await deliver(JSON.stringify({ web_push: 8030, notification, app_badge: 2 }));
  const { navigate, ...seen } = notification;
  await expect.poll(shown).toEqual([{ ...seen, data: navigate }]);
  // Unreadable pushes are shown too, because every subscription promises a visible notification.
  await deliver('no JSON');
  await expect.poll(shown).toEqual([{ title: 'Packpark' }]);

  await worker.evaluate((data) => {
    const scope = globalThis as unknown as EventTarget;
    const tapped = Object.assign(new Event('notificationclick'), {
      notification: { data, close: () => undefined },
      waitUntil: () => undefined,
    });
    scope.dispatchEvent(tapped);
  }, navigate);
  await expect(page).toHaveURL('/about?from=push');
  // Notifications that arrive while the app is open are marked as seen.
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('closed'))).toBe('/about');

  await page.getByRole('navigation').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect.poll(devices).toEqual([]);
  await service.close();
});

test('an iPhone’s browser explains once that push requires the home screen', async ({
  site,
  pageFor,
}) => {
  const page = await pageFor(await site.user());
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'PushManager');
    Object.assign(navigator, { standalone: false });
  });
  await page.goto('/notifications');
  const how = page.getByText(/on the home screen: tap Share, then ‘Add to Home Screen’/);
  await expect(how).toBeVisible();
  await expect(page.getByRole('button', { name: 'Turn on' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(how).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await settled(page);
  await expect(how).toHaveCount(0);
});
