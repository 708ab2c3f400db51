// Without a network in a browser that has no service worker: what the page itself keeps, and its queue.
import { confirmCheckIn, expectParks, openList, reservePark } from '../support/fixtures.ts';
import { expect, test } from '../support/test.ts';

test.use({ allowedErrors: [/Failed to load resource|errors\.offline|net::ERR/], preloads: true });

test('without a network parks are as seen, as listed, or said to lack', async ({ pageFor }) => {
  const page = await pageFor();
  const { length } = await openList(page);
  await page.getByRole('link', { name: /Eucalyptus Bend/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Eucalyptus Bend');
  await page.getByRole('link', { name: 'Back' }).click();
  await expectParks(page, length);
  // No service worker here: what is needed without a network has to have come.
  await page.waitForFunction(() =>
    performance
      .getEntriesByType('resource')
      .some(({ name }) => /listed-park-[^/]+\.js$/.test(name)),
  );
  await page.context().setOffline(true);

  await page.getByRole('link', { name: /Eucalyptus Bend/ }).click();
  await expect(page.getByText('Medium · 2,600 m²')).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).click();
  // One whose card was never in sight: of the others the list has asked what their verdict rests on.
  await page.getByRole('link', { name: /Olive Terrace/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Olive Terrace');
  const note = page.getByText(/This is what the list of parks knows/);
  await expect(note).toBeVisible();
  // The list's facts, and no word on what nobody can know now.
  const about = page.getByRole('region', { name: 'About' });
  await expect(about.getByText('Medium', { exact: true })).toBeVisible();
  await expect(about.getByText(/Do you know/)).toBeHidden();
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

test('a check-in without a network waits, and counts later', async ({ site, pageFor }) => {
  const { id: parkId } = await reservePark(site);
  const page = await pageFor(await site.person());
  // The bar of the visit is wanted only now, and cannot be had before the network is back.
  let isCut = true;
  await page.route(/assets\/presence-/, (route) => (isCut ? route.abort() : route.continue()));
  const wanted = page.waitForRequest(/assets\/presence-[^/]+\.js/);
  await page.goto(`/parks/${parkId}/`);
  await page.getByRole('button', { name: 'Check in here' }).click();
  const confirm = confirmCheckIn(page);
  await expect(confirm).toBeEnabled();
  // No service worker here: the queue's own code has to have come.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/queue-[^/]+\.js$/.test(name)),
  );
  await page.context().setOffline(true);
  await confirm.click();
  await expect(page.getByText(/It is kept on this device/)).toBeVisible();
  await wanted;
  isCut = false;
  await page.context().setOffline(false);
  await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
});
