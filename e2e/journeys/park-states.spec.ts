// Parks without a network, by keyboard alone, with long texts, and with very many of them.
import { expect, test } from '../support/test.ts';
import { throughPopup } from '../support/popup.ts';

test.use({ allowedErrors: [/Failed to load resource|errors\.offline|net::ERR/] });

test('without a network a seen park is there, another as the list knows it, and one that it does not know says so', async ({
  pageFor,
}) => {
  const page = await pageFor();
  await page.goto('/parks');
  await page.getByRole('link', { name: /Eucalyptus Bend/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Eucalyptus Bend');
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page.getByText('40 parks')).toBeVisible();
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
  await page.getByRole('link', { name: /The Long Lawn/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Long Lawn');
  const note = page.getByText(/This is what the list of parks knows/);
  await expect(note).toBeVisible();
  // The list's facts, and no word on what nobody can know now.
  const about = page.getByRole('region', { name: 'About' });
  await expect(about.getByText(/m²/)).toBeVisible();
  await expect(about.getByText('Not known yet')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Check in here' })).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);

  await page.context().setOffline(false);
  await expect(note).toBeHidden();
  await expect(page.getByTestId('dogs-now')).toBeVisible();

  await page.goto('/parks');
  await expect(page.getByText('40 parks')).toBeVisible();
  await page.context().setOffline(true);
  await page.evaluate(() => history.pushState(null, '', '/parks/99999/'));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('no internet connection');
});

test('a check-in without a network waits, and counts with the network', async ({
  site,
  pageFor,
}) => {
  const page = await pageFor(await site.person());
  await page.goto('/parks/12/');
  await page.getByRole('button', { name: 'Check in here' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true });
  await expect(confirm).toBeEnabled();
  // No service worker here: the queue's own code has to have come.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/queue-[^/]+\.js$/.test(name)),
  );
  await page.context().setOffline(true);
  await confirm.click();
  await expect(page.getByText(/It is kept on this device/)).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
});

test('a check-in whose answer is lost on the way counts once', async ({ site, pageFor }) => {
  const person = await site.person();
  const page = await pageFor(person);
  let lost = 0;
  await page.route('**/rest/v1/rpc/check_in', async (route) => {
    if (lost++ > 0) return route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.goto('/parks/13/');
  await page.getByRole('button', { name: 'Check in here' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
  await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
  const rows = await site.sql(`select count(*)::int from public.check_ins where user_id = $1`, [
    person.id,
  ]);
  expect(rows).toEqual([{ count: 1 }]);
});

test('checking in and reviewing needs no mouse', async ({ site, pageFor }) => {
  const person = await site.person();
  await person.client.rpc('accept_terms');
  const page = await pageFor(person);
  await page.goto('/parks/14/');
  const button = page.getByRole('button', { name: 'Check in here' });
  await button.focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'One more' }).focus();
  await page.keyboard.press('Space');
  await sheet.getByRole('radio', { name: '1 hour' }).focus();
  await page.keyboard.press('ArrowRight');
  await sheet.getByRole('button', { name: 'Check in', exact: true }).focus();
  await throughPopup(page, 'Checked in. Have fun!', () => page.keyboard.press('Enter'));
  const bar = page.getByRole('region', { name: 'You are here' });
  await expect(bar).toContainText('2 hours left');
  const checkOut = bar.getByRole('button', { name: 'Check out' });
  await checkOut.focus();
  await expect(checkOut).toBeFocused();
  await page.keyboard.press('Enter');
  const review = page.getByRole('dialog', { name: 'Write a review' });
  await review.getByRole('radio', { name: '1 star' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Fine');
  await throughPopup(page, 'Thanks for sharing!', () => page.keyboard.press('Enter'));
  await page.goto('/parks/14/reviews');
  await expect(page.getByRole('article').filter({ hasText: person.name })).toContainText('Fine');
});

test('photos are walked through by keyboard, in the reading direction', async ({ pageFor }) => {
  const page = await pageFor(undefined, { language: 'he' });
  await page.goto('/parks/1/');
  const carousel = page.getByRole('group', { name: 'תמונות של עיקול האקליפטוס' });
  await carousel.getByRole('list').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(carousel.getByRole('list')).toHaveAccessibleName(/תמונה 2 מתוך/);
  await page.keyboard.press('ArrowRight');
  await expect(carousel.getByRole('list')).toHaveAccessibleName(/תמונה 1 מתוך/);
});

test('three thousand parks are listed piece by piece', async ({ page }) => {
  const many = Array.from({ length: 3000 }, (_, index) => ({
    id: 100_000 + index,
    name: `Park number ${index}`,
    city: 'Haifa',
    address: `${index} Long St`,
    location: { lat: 32 + index / 10_000, long: 34.9 },
  }));
  await page.route('**/parks-en.json', (route) => route.fulfill({ json: many }));
  await page.goto('/parks?sort=name');
  await expect(page.getByText('3,000 parks')).toBeVisible();
  const cards = page.locator('main li').filter({ has: page.getByRole('link') });
  expect(await cards.count()).toBeLessThan(200);
  await page.getByRole('searchbox').fill('number 2999');
  await expect(page.getByText('1 park', { exact: true })).toBeVisible();
  await page.getByRole('searchbox').fill('');
  await expect(page.getByText('3,000 parks')).toBeVisible();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 20_000);
      return cards.count();
    })
    .toBeGreaterThan(150);
});
