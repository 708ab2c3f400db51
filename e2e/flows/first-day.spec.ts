// The first day of honest newcomers. Everything that they do counts, with and without location permission.
import type { Page } from '@playwright/test';
import { addDog, checkIn, checkOut, reservePark, standAt } from '../support/fixtures.ts';
import { expect, test } from '../support/test.ts';

const dogsNow = (page: Page) => page.getByTestId('dogs-now');
const here = (page: Page) => page.getByRole('region', { name: 'You are here' });

/**
 * Checks in on the page of a park.
 * @returns the request's body
 */
async function sentCheckIn(page: Page): Promise<Record<string, unknown>> {
  const [sent] = await Promise.all([page.waitForRequest('**/rpc/check_in'), checkIn(page)]);
  return sent.postDataJSON() as Record<string, unknown>;
}

test('a newcomer who does not share a location counts', async ({ site, pageFor }) => {
  const park = await reservePark(site);
  const [newcomer, neighbour] = [await site.user(), await site.user('Neighbour of the day')];
  await addDog(newcomer, 'Luna');
  await neighbour.client.rpc('check_in', { p_park_id: park.id });

  const page = await pageFor(newcomer);
  await page.context().clearPermissions();
  await page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = () => {
      throw new Error('The app asked where the person is.');
    };
  });
  await page.goto(`/parks/${park.id}/`);
  await expect(dogsNow(page)).toContainText('1 dog now');
  const sent = await sentCheckIn(page);
  expect(Object.keys(sent).filter((key) => /lat|long|accuracy/.test(key))).toEqual([]);
  await expect(here(page)).toBeVisible();
  await expect(dogsNow(page)).toContainText('2 dogs now');
});

test('on the seventh visit of a day without a location, a message names what is missing', async ({
  site,
  pageFor,
}) => {
  const park = await reservePark(site);
  const user = await site.user();
  for (let visit = 1; visit <= 6; visit += 1) {
    await user.client.rpc('check_in', { p_park_id: park.id });
    await checkOut(user);
  }
  const page = await pageFor(user);
  await page.context().clearPermissions();
  await page.goto(`/parks/${park.id}/`);
  await checkIn(page);
  await expect(page.getByText(/Without your location, you’re not included/)).toBeVisible();
});

test('a user far away plans to come, and is counted after arriving', async ({ site, pageFor }) => {
  const [there, elsewhere] = [await reservePark(site), await reservePark(site)];
  const page = await pageFor(await site.user());
  await standAt(page, elsewhere);
  await page.goto(`/parks/${there.id}/`);
  expect(await sentCheckIn(page)).toMatchObject({
    p_location: { lat: elsewhere.lat, long: elsewhere.long },
  });
  await expect(page.getByText('You seem to be far away, so we noted')).toBeVisible();
  const plan = page.getByRole('region', { name: 'On my way' });
  await expect(plan).toContainText('You plan to come');
  await expect(dogsNow(page)).toContainText('No dogs now');
  await expect(here(page)).toHaveCount(0);

  await standAt(page, there);
  // The app reuses the device's position for 30 seconds.
  await page.reload();
  await checkIn(page);
  await expect(here(page)).toBeVisible();
  await expect(plan).toHaveCount(0);
  await expect(dogsNow(page)).toContainText('1 dog now');
});
