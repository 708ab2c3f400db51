// Offline in a browser without a service worker: the page's own cache and its queue.
import type { Page, Route } from '@playwright/test';
import { chunkUrl } from '../support/app-versions.ts';
import { confirmCheckIn, expectParks, openList, reservePark } from '../support/fixtures.ts';
import { expect, test } from '../support/test.ts';

const expectLoaded = (page: Page, chunk: string) =>
  page.waitForFunction(
    (url) =>
      performance.getEntriesByType('resource').some(({ name }) => new RegExp(url).test(name)),
    chunkUrl(chunk).source,
  );

test.use({ allowedErrors: [/Failed to load resource|errors\.offline|net::ERR/], preloads: true });

test('offline parks are shown as viewed, as listed, or as missing', async ({ pageFor }) => {
  const page = await pageFor();
  const { length } = await openList(page);
  await page.getByRole('link', { name: /Eucalyptus Bend/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Eucalyptus Bend');
  await page.getByRole('link', { name: 'Back' }).click();
  await expectParks(page, length);
  // Without a service worker, everything needed offline must be loaded already.
  await expectLoaded(page, 'park-from-list');
  await page.context().setOffline(true);

  await page.getByRole('link', { name: /Eucalyptus Bend/ }).click();
  await expect(page.getByText('Medium (2,600 m²)')).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).click();
  // Opens a park whose card was never visible. For visible cards the list has already requested the data of the verdict.
  await page.getByRole('link', { name: /Olive Terrace/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Olive Terrace');
  const note = page.getByText(/These are the basics/);
  await expect(note).toBeVisible();
  // The page shows facts from the list, but no live data.
  const about = page.getByRole('region', { name: 'About' });
  await expect(about.getByText('Medium', { exact: true })).toBeVisible();
  await expect(about.getByRole('button', { name: 'Add missing details' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Check in here' })).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);

  await page.context().setOffline(false);
  await expect(note).toBeHidden();
  await expect(page.getByTestId('dogs-now')).toBeVisible();

  await openList(page);
  await page.context().setOffline(true);
  await page.evaluate(() => history.pushState(null, '', '/parks/99999/'));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('no internet connection');
});

test('a check-in without a network is queued and sent later', async ({ site, pageFor }) => {
  const { id: parkId } = await reservePark(site);
  const page = await pageFor(await site.user());
  // The first request for the visit bar's chunk fails only after the device is online again, and so do the next two.
  const requests: Route[] = [];
  const visitBar = chunkUrl('current-visit');
  await page.route(visitBar, (route) => {
    if (requests.push(route) > 3) return route.continue();
    if (requests.length > 1) return route.abort();
  });
  const wanted = page.waitForRequest(visitBar);
  await page.goto(`/parks/${parkId}/`);
  await page.getByRole('button', { name: 'Check in here' }).click();
  const confirm = confirmCheckIn(page);
  await expect(confirm).toBeEnabled();
  // Without a service worker, the queue's code must be loaded already.
  await expectLoaded(page, 'queue');
  await page.context().setOffline(true);
  await confirm.click();
  await expect(page.getByText(/It’s saved on this device/)).toBeVisible();
  await wanted;
  await page.context().setOffline(false);
  await page.waitForFunction(() => navigator.onLine);
  await requests[0]?.abort();
  await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
});
