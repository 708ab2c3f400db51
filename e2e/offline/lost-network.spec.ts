// Correct messages when the network or host fails in special ways: during navigation, during an update, behind a captive portal.
import type { Page } from '@playwright/test';
import { startVersions } from '../support/app-versions.ts';
import { reservePark } from '../support/fixtures.ts';
import { logIn } from '../support/login-driver.ts';
import {
  CUT,
  expectCached,
  expectQueued,
  expectQueueEmpty,
  readyForOffline,
} from '../support/offline-driver.ts';
import { expect, test } from '../support/test.ts';

test.use({ allowedErrors: [new RegExp(`${CUT.source}|status of 40[0-4]|part of the app`)] });

const tapParks = (page: Page) => page.getByRole('link', { name: 'Parks' }).first().click();
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('a host that becomes unavailable during navigation leads to a message', async ({
  site,
  pageFor,
}) => {
  const versions = await startVersions(site.url);
  const page = await pageFor();
  await page.goto(`${versions.url}/about`);
  await expect(heading(page)).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Language' }).click();
  await versions.close();
  // The other language's messages were never downloaded.
  await page.getByRole('button', { name: 'العربية' }).click();
  await expect(page.getByRole('alert').getByText('No internet connection')).toBeVisible();
  await tapParks(page);
  await expect(page.getByText(/no internet connection/i).first()).toBeVisible();
  expect(await page.evaluate(() => document.querySelector('nav') !== null)).toBe(true);
});

test('an update during navigation opens the new version there', async ({ site, pageFor }) => {
  const versions = await startVersions(site.url);
  const user = await site.user();
  const page = await pageFor(user, { at: `${versions.url}/profile/${user.id}/dogs` });
  await page.getByRole('button', { name: 'Add a dog' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Zaatar');
  await page.keyboard.press('Escape');
  await page.waitForLoadState('networkidle');
  versions.publish();
  await tapParks(page);
  await expect(page.getByRole('link', { name: /Eucalyptus Bend/ })).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Add a dog' }).first().click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Zaatar');
  await versions.close();
});

test.describe('if the app is installed', () => {
  test.use({ installed: true });

  test('a review of a park whose reviews cannot be loaded', async ({ site, pageFor }) => {
    const [seen, other] = [await reservePark(site), await reservePark(site)];
    const user = await site.user();
    await user.client.rpc('accept_terms', { p_licence: true });
    const page = await pageFor(user, { at: `/parks/${seen.id}/reviews` });
    await expect(page.getByRole('button', { name: 'Write a review' })).toBeVisible();
    await readyForOffline(page);
    await page.getByRole('button', { name: 'Write a review' }).click();
    await page.getByRole('radio', { name: '3 stars' }).check();
    await page.getByRole('button', { name: 'Post review' }).click();
    await expect(page.getByRole('article')).toBeVisible();
    await expectCached(page, '"consents"');
    await page.context().setOffline(true);
    await page.goto(`/parks/${other.id}/reviews`);
    await page.getByRole('button', { name: 'Write a review' }).click();
    await page.getByRole('radio', { name: '5 stars' }).check();
    await page.getByRole('button', { name: 'Post review' }).click();
    await expectQueued(page);

    // The network works but requires a login at a captive portal.
    const portal = (route: { fulfill: (answer: object) => Promise<void> }) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Welcome to our café</h1>' });
    await page.route(/\/(rest|auth|storage|functions)\/v1\//, portal);
    const asked = page.waitForRequest('**/rpc/save_review');
    await page.context().setOffline(false);
    await asked;
    await expectQueued(page);
    await page.unroute(/\/(rest|auth|storage|functions)\/v1\//);
    await expect(page.getByText('1 change was sent')).toBeVisible();
    const { data } = await user.client.rpc('my_reviews');
    expect(data).toHaveLength(2);
  });

  test('an ended session lists the queued commands, and logging in sends them', async ({
    site,
    pageFor,
  }) => {
    const user = await site.user();
    const park = await reservePark(site);
    const page = await pageFor(user, { at: `/parks/${park.id}/` });
    await readyForOffline(page);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Add to favourites' }).click();
    await expectQueued(page);
    await site.sql('delete from auth.sessions where user_id = $1', [user.id]);
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('packpark-session') ?? '');
      localStorage.setItem('packpark-session', JSON.stringify({ ...session, expires_at: 1000 }));
    });
    // Load the page while still offline, because the message appears on the page that notices that the session has ended.
    await page.goto('/about');
    await expectQueued(page);
    await page.context().setOffline(false);
    await expect(page.getByText(/1 change is still waiting on this device/)).toBeVisible();
    await page.reload();
    await expect(page.getByText(/1 change is still waiting on this device/)).toBeVisible();
    await page.goto('/login');
    await logIn(page, user);
    const sent = () =>
      site.sql`select park_id::int from public.favourite_parks where user_id = ${user.id}`;
    await expect.poll(sent).toEqual([{ park_id: park.id }]);
    await expectQueueEmpty(page);
  });
});
