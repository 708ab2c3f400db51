// Viewed pages are available after a restart without a network: only to the same user, and with their date.
import { addDog, befriend, inviteTo, reservePark } from '../support/fixtures.ts';
import { expect, test } from '../support/test.ts';
import {
  CUT,
  expectCached,
  expectQueueEmpty,
  expectQueued,
  cachedOn,
  readyForOffline,
  shiftClock,
} from '../support/offline-driver.ts';

test.use({ installed: true, allowedErrors: [CUT] });

test('viewed dogs, favourites and parks are available after a restart', async ({
  pageFor,
  site,
}) => {
  const user = await site.user();
  const friend = await site.user('Friendly Noa');
  await befriend(friend, user);
  const dogId = await addDog(user, 'Luna');
  const park = await reservePark(site);
  await user.client.from('favourite_parks').insert({ park_id: park.id });
  await friend.client.rpc('check_in', { p_park_id: park.id, p_dog_count: 2 });

  const page = await pageFor(user, { at: `/profile/${user.id}/dogs/${dogId}` });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Luna');
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page.getByRole('link', { name: 'Luna' })).toBeVisible();
  await page.getByRole('link', { name: 'Favourites' }).click();
  await expect(page.getByRole('link', { name: park.name })).toBeVisible();
  await expectCached(page, '"favourites"');
  await page.goto(`/parks/${park.id}/visitors`);
  await expect(page.getByRole('link', { name: 'Friendly Noa' })).toBeVisible();
  await readyForOffline(page);
  await expectCached(page, 'dogs_now');
  // Presence must not be stored on the device.
  const kept = await cachedOn(page);
  expect(kept?.userId).toBe(user.id);
  expect(kept?.text).not.toContain('Friendly Noa');

  await page.context().setOffline(true);
  await page.goto(`/profile/${user.id}/dogs`);
  await expect(page.getByRole('link', { name: 'Luna' })).toBeVisible();
  await page.goto(`/profile/${user.id}/dogs/${dogId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Luna');
  await page.goto(`/profile/${user.id}/favorites`);
  await expect(page.getByRole('link', { name: park.name })).toBeVisible();
  await page.goto(`/parks/${park.id}/visitors`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(park.name);
  await expect(page.getByText(/Connect to the internet to see which friends/)).toBeVisible();
  await expect(page.getByText('Friendly Noa')).toBeHidden();
  // A page that was never viewed shows the offline message.
  await page.goto(`/profile/${friend.id}/dogs`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('no internet connection');

  // If a device is too slow to restore the cache in time, the app shows the cached page as soon as it is restored.
  await page.addInitScript(() => {
    const later = globalThis.setTimeout;
    globalThis.setTimeout = ((task: () => void, ms?: number, ...rest: unknown[]) =>
      later(task, ms === 1500 ? 0 : ms, ...rest)) as typeof setTimeout;
    const onSuccess = Object.getOwnPropertyDescriptor(IDBRequest.prototype, 'onsuccess');
    Object.defineProperty(IDBRequest.prototype, 'onsuccess', {
      ...onSuccess,
      set(this: IDBRequest, tell: (event: Event) => void) {
        const isFirst = (this.source as IDBObjectStore | null)?.name === 'queries';
        if (isFirst) Object.defineProperty(IDBRequest.prototype, 'onsuccess', onSuccess ?? {});
        onSuccess?.set?.call(
          this,
          isFirst ? (event: Event) => Object.assign(window, { letGo: () => tell(event) }) : tell,
        );
      },
    });
  });
  await page.goto(`/profile/${user.id}/dogs/${dogId}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('no internet connection');
  await page.waitForFunction(() => 'letGo' in window);
  await page.evaluate(() => (window as unknown as { letGo(): void }).letGo());
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Luna');
});

test('on the second day own pages are available, and a check-in works', async ({
  pageFor,
  site,
}) => {
  const user = await site.user();
  await addDog(user, 'Luna');
  const park = await reservePark(site);
  await user.client.from('favourite_parks').insert({ park_id: park.id });
  const friend = await site.user();
  await befriend(friend, user);
  await inviteTo(user, friend, park.id, 48);
  const page = await pageFor(user, { at: '/meetings' });
  await expect(page.getByRole('link', { name: park.name })).toBeVisible();
  await readyForOffline(page);
  await expectCached(page, 'Luna');
  await expectCached(page, '"consents"');

  await page.context().setOffline(true);
  await shiftClock(page, 25 * 60);
  await page.goto('/meetings');
  await expect(page.getByRole('link', { name: park.name })).toBeVisible();
  await page.goto(`/profile/${user.id}/dogs`);
  await page.getByRole('link', { name: /Luna/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Luna');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  // Commands that cannot be queued fail immediately.
  await expect(page.getByRole('alert').getByText('No internet connection')).toBeVisible();
  await page.goto(`/profile/${user.id}/favorites`);
  await page.getByRole('link', { name: park.name }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(park.name);
  await expect(page.getByText(/These are the basics/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove from favourites' })).toBeVisible();
  await page.getByRole('button', { name: 'Check in here' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText('Luna')).toBeVisible();
  await sheet.getByRole('button', { name: 'Check in', exact: true }).click();
  await expectQueued(page);

  await page.context().setOffline(false);
  await expectQueueEmpty(page);
  await expect
    .poll(async () => (await user.client.rpc('my_check_in')).data)
    .toMatchObject([{ park_id: park.id }]);
});

test('pages of one user are not available to another on the same device', async ({
  pageFor,
  site,
}) => {
  const [one, other] = [await site.user(), await site.user()];
  await addDog(one, 'Secret Rex');
  const page = await pageFor(one, { at: `/profile/${one.id}/dogs` });
  await expect(page.getByRole('link', { name: 'Secret Rex' })).toBeVisible();
  await readyForOffline(page);
  await expectCached(page, 'Secret Rex');
  // Replaces the session without a logout, so that the first user's cache is still on the device.
  await page.evaluate(
    (session) => localStorage.setItem('packpark-session', session),
    JSON.stringify(other.session),
  );
  await page.context().setOffline(true);
  await page.goto(`/profile/${one.id}/dogs`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('no internet connection');
  await expect(page.getByText('Secret Rex')).toBeHidden();
  await expect.poll(async () => (await cachedOn(page))?.text ?? '').not.toContain('Secret Rex');
});

test('an expired session opens cached pages until the logout, and is refreshed', async ({
  pageFor,
  site,
}) => {
  const user = await site.user();
  await addDog(user, 'Luna');
  const page = await pageFor(user, { at: `/profile/${user.id}/dogs` });
  await expect(page.getByRole('link', { name: 'Luna' })).toBeVisible();
  await readyForOffline(page);
  await expectCached(page, 'Luna');

  await page.context().setOffline(true);
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('packpark-session') ?? '');
    localStorage.setItem('packpark-session', JSON.stringify({ ...session, expires_at: 1000 }));
  });
  await page.goto(`/profile/${user.id}/dogs`);
  await expect(page.getByRole('link', { name: 'Luna' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Profile' })).toBeVisible();

  await page.context().setOffline(false);
  const expiresAt = () =>
    page.evaluate(
      () => JSON.parse(localStorage.getItem('packpark-session') ?? '{}').expires_at as number,
    );
  await expect.poll(expiresAt).toBeGreaterThan(1000);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Luna' })).toBeVisible();
  await expectCached(page, 'Luna');

  // Logging out deletes the cache, even without a network.
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible();
  await expect.poll(async () => (await cachedOn(page))?.text ?? '').not.toContain('Luna');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('packpark-session'))).toBeNull();
});

// These tests do not restart the app, so they need no worker. Playwright's clock would also stay in the installed app's context.
test.describe('in a page that stays open', () => {
  test.use({ installed: false });

  test('the number of dogs is shown with its time', async ({ pageFor, site }) => {
    const page = await pageFor();
    const park = await reservePark(site);
    await page.clock.install();
    await page.goto(`/parks/${park.id}/`);
    await expect(page.getByTestId('dogs-now')).toContainText('No dogs now');
    await expect(page.getByText(/^As of/)).toBeHidden();
    await page.context().setOffline(true);
    await page.clock.fastForward('02:00');
    await expect(page.getByText(/^As of \d\d:\d\d$/)).toBeVisible();
  });

  test('a clock five minutes behind refreshes an expired session', async ({ pageFor, site }) => {
    const user = await site.user();
    await addDog(user, 'Luna');
    const page = await pageFor(user);
    let [refused, renewed] = [0, false];
    // Counted by requests, because a token refreshed in the same second is identical.
    await page.route('**/auth/v1/token?*', (route) => {
      renewed = true;
      return route.fallback();
    });
    // Until the token is refreshed, requests are rejected as by a server whose clock is past the token's expiry.
    await page.route('**/rest/v1/**', async (route) => {
      if (renewed) return route.fallback();
      refused++;
      await route.fulfill({
        status: 401,
        json: { code: 'PGRST303', message: 'JWT expired', details: null, hint: null },
      });
    });
    await page.clock.install({ time: Date.now() - 5 * 60_000 });
    await page.goto(`/profile/${user.id}/dogs`);
    await expect(page.getByRole('link', { name: 'Luna' })).toBeVisible();
    expect(refused).toBeGreaterThan(0);
  });
});
