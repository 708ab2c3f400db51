// A new version while two tabs are open loses nothing that was typed.
import type { Page } from '@playwright/test';
import { reservePark } from '../support/fixtures.ts';
import { expect, test } from '../support/test.ts';
import { startVersions } from '../support/app-versions.ts';
import {
  CUT,
  expectCached,
  expectQueueEmpty,
  expectQueued,
  readyForOffline,
} from '../support/offline-driver.ts';

test.use({ serviceWorkers: 'allow', allowedErrors: [CUT] });

/** The old service worker finishes its work before the update, which takes a while on a busy machine. */
const CHANGE = { timeout: 60_000 };

const reload = (page: Page) => page.getByRole('button', { name: 'Reload', exact: true });
const cachedVersions = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('app-')));
/** The script version that a tab runs. */
const entryOf = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLScriptElement>('script[type=module]')?.src);
const isControlled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null);

/** Waits until the cache of the newest version is complete, so that its worker is waiting. */
const isWhole = (page: Page, name: string) =>
  expect
    .poll(() =>
      page.evaluate(async (cache) => {
        const files = await (await caches.open(cache)).keys();
        const registration = await navigator.serviceWorker.getRegistration();
        return files.length > 0 && registration?.installing === null;
      }, name),
    )
    .toBe(true);

/** @returns the URL of the script that runs after the update */
async function takeNewVersion(page: Page): Promise<string | undefined> {
  const before = await entryOf(page);
  await reload(page).click();
  // While the page reloads, evaluating fails.
  await expect.poll(() => entryOf(page).catch(() => before), CHANGE).not.toBe(before);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return entryOf(page);
}

test('an update reloads the tab in which it was accepted; other tabs keep their version', async ({
  pageFor,
  site,
}) => {
  const versions = await startVersions(site.url);
  const user = await site.user();
  await user.client.rpc('accept_terms', { p_licence: true });
  const park = await reservePark(site);
  const asking = await pageFor(user, { at: `${versions.url}/about` });
  await readyForOffline(asking);
  await isControlled(asking);
  const first = await entryOf(asking);
  const typing = await asking.context().newPage();
  await typing.goto(`${versions.url}/parks/${park.id}/reviews`);
  await typing.getByRole('button', { name: 'Write a review' }).click();
  await typing.getByRole('radio', { name: '4 stars' }).check();
  await typing.getByLabel('What should others know?').fill('Half a thought');
  // This device knows that the rules are accepted, so it does not ask while offline.
  await expectCached(typing, '"terms_accepted":true');

  versions.publish();
  // Nothing happens automatically: the next page is still the old version and offers the new one.
  await asking.goto(`${versions.url}/about`);
  await expect(reload(asking)).toBeVisible();
  await expect(reload(typing)).toBeVisible();
  expect(await entryOf(asking)).toBe(first);
  const second = await takeNewVersion(asking);

  // The other tab keeps running on its own files, which the host no longer has, and keeps the typed text.
  expect(await entryOf(typing)).toBe(first);
  await expect(typing.getByLabel('What should others know?')).toHaveValue('Half a thought');
  const session = await typing.context().newCDPSession(typing);
  await session.send('Network.clearBrowserCache');
  await typing.context().setOffline(true);
  await typing.getByRole('button', { name: 'Post review' }).click();
  await expectQueued(typing);
  await typing.context().setOffline(false);
  await expectQueueEmpty(typing);
  const { data } = await user.client.rpc('my_reviews');
  expect(data).toMatchObject([{ content: 'Half a thought' }]);
  await typing.getByRole('link', { name: 'Notifications' }).click();
  await expect(typing.getByRole('heading', { level: 1 })).toHaveText('Notifications');
  expect(await entryOf(typing)).toBe(first);

  // The other tab is updated at its next reload.
  await typing.reload();
  expect(await entryOf(typing)).toBe(second);
  await versions.close();
});

test('versions that only waited or downloaded in part are removed; the current one stays', async ({
  pageFor,
  site,
}) => {
  const versions = await startVersions(site.url);
  const page = await pageFor();
  await page.goto(`${versions.url}/about`);
  await readyForOffline(page);
  await isControlled(page);
  const [first = ''] = await cachedVersions(page);
  versions.publish();
  await page.reload();
  await expect(reload(page)).toBeVisible();
  const [, onlyWaited = ''] = await cachedVersions(page);
  expect(onlyWaited).not.toBe('');
  versions.publish();
  await page.reload();
  await expect.poll(() => cachedVersions(page)).toHaveLength(3);
  const newest = (await cachedVersions(page)).at(-1) ?? '';
  // The toast keeps offering the older waiting version until the newest one is fully cached.
  await isWhole(page, newest);
  await expect(reload(page)).toBeVisible();
  await takeNewVersion(page);
  await expect.poll(() => cachedVersions(page)).toEqual([first, newest]);

  // The new worker's script downloads, but the files to cache do not.
  versions.publish({ whole: false });
  const end = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    // Registered before the request, because the worker may fail before the response.
    const ended = new Promise<string>((resolve) => {
      registration.addEventListener('updatefound', () => {
        const { installing } = registration;
        installing?.addEventListener('statechange', () => resolve(installing.state));
      });
    });
    await registration.update();
    return ended;
  });
  expect(end).toBe('redundant');
  await page.context().setOffline(true);
  await page.goto(`${versions.url}/parks`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await cachedVersions(page)).toContain(newest);
  await versions.close();
});

test('a site that forbids caching tiles is obeyed from the next start', async ({
  pageFor,
  site,
}) => {
  const versions = await startVersions(site.url);
  const page = await pageFor();
  const cachedTiles = () =>
    page.evaluate(async () =>
      (await caches.has('map-tiles')) ? (await (await caches.open('map-tiles')).keys()).length : 0,
    );
  await page.goto(`${versions.url}/about`);
  await readyForOffline(page);
  await isControlled(page);
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect.poll(cachedTiles).toBeGreaterThan(3);
  versions.forbidTiles();
  await page.goto(`${versions.url}/about`);
  await expect.poll(cachedTiles).toBe(0);
  await versions.close();
});
