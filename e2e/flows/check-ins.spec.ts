// Checking in and out of a park: the user's own view, and live updates for others.
import type { Page } from '@playwright/test';
import {
  addDog,
  checkIn,
  confirmCheckIn,
  reservePark,
  standAt,
  writeReview,
} from '../support/fixtures.ts';
import { logIn } from '../support/login-driver.ts';
import { expect, shortenPolling, test } from '../support/test.ts';
import { settled } from '../support/navigation.ts';

const dogsNow = (page: Page) => page.getByTestId('dogs-now');

test('a second browser sees the number of dogs rise and fall without a reload', async ({
  site,
  pageFor,
}) => {
  const user = await site.user();
  await addDog(user, 'Luna');
  await addDog(user, 'Max');
  const { id: park } = await reservePark(site);
  const [mine, watching] = [await pageFor(user), await pageFor()];
  await shortenPolling(watching);
  await watching.goto(`/parks/${park}/`);
  await expect(dogsNow(watching)).toContainText('No dogs now');

  await mine.goto(`/parks/${park}/`);
  await checkIn(mine);
  await expect(mine.getByRole('region', { name: 'You are here' })).toContainText('1 hour left');
  await expect(dogsNow(mine)).toContainText('2 dogs now');
  await expect(dogsNow(watching)).toContainText('2 dogs now');
  await expect(watching.getByRole('button', { name: 'Check in here' })).toBeVisible();

  // The visit bar is on every screen.
  await mine.goto('/about');
  const bar = mine.getByRole('region', { name: 'You are here' });
  await expect(bar.getByRole('link')).toHaveAttribute('href', `/parks/${park}`);
  await bar.getByRole('button', { name: 'Check out' }).click();
  await expect(mine.getByRole('dialog', { name: 'See you soon!' })).toBeVisible();
  await expect(dogsNow(watching)).toContainText('No dogs now');
});

test('a dog can stay at home; users without a dog enter the number of dogs', async ({
  site,
  pageFor,
}) => {
  const { id: park } = await reservePark(site);
  const [owner, sitter] = [await site.user(), await site.user()];
  await addDog(owner, 'Luna');
  await addDog(owner, 'Max');
  const page = await pageFor(owner, { at: `/parks/${park}/` });
  await page.getByRole('button', { name: 'Check in here' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('checkbox', { name: 'Max' }).uncheck();
  await sheet.getByRole('checkbox', { name: 'Luna' }).uncheck();
  await expect(sheet.getByText('Choose at least one dog')).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Check in', exact: true })).toBeDisabled();
  await sheet.getByRole('checkbox', { name: 'Luna' }).check();
  await sheet.getByRole('button', { name: 'Check in', exact: true }).click();
  await expect(dogsNow(page)).toContainText('1 dog now');

  const other = await pageFor(sitter, { at: `/parks/${park}/` });
  await other.getByRole('button', { name: 'Check in here' }).click();
  await other.getByRole('button', { name: 'One more' }).click();
  await confirmCheckIn(other).click();
  await expect(dogsNow(other)).toContainText('3 dogs now');
});

test('a user at another park is asked before switching', async ({ site, pageFor }) => {
  const [before, { id: second, name }] = [await reservePark(site), await reservePark(site)];
  const { id: first } = before;
  const user = await site.user();
  await user.client.rpc('check_in', { p_park_id: first, p_dog_count: 1 });
  const page = await pageFor(user);
  // Without realtime, this device learns of changes only when it fetches.
  await page.routeWebSocket('**/realtime/**', () => {});
  await page.goto(`/parks/${second}/`);
  const bar = page.getByRole('region', { name: 'You are here' });
  await expect(bar).toContainText(before.name);
  await expect(dogsNow(page)).toContainText('No dogs now');
  await checkIn(page);
  const prompt = page.getByRole('alertdialog', { name: 'Switch parks?' });
  await expect(prompt).toBeVisible();
  await prompt.getByRole('button', { name: 'Cancel' }).click();
  const { data: still } = await user.client.rpc('my_check_in');
  expect(still).toMatchObject([{ park_id: first }]);
  await expect(dogsNow(page)).toContainText('No dogs now');

  const confirm = confirmCheckIn(page);
  // Leaving a park always prompts for stars.
  const leaving = page.getByRole('dialog', { name: 'See you soon!' });
  const switchOver = async () => {
    await confirm.click();
    await prompt.getByRole('button', { name: 'Switch' }).click();
    await expect(bar).toContainText(name);
    await expect(leaving).toContainText(before.name);
    await leaving.getByRole('button', { name: 'Skip' }).click();
  };
  await switchOver();
  // Undoing a switch resumes the previous visit.
  await page.getByRole('main').getByRole('button', { name: 'Undo check-in' }).click();
  await expect(bar).toContainText(before.name);
  await page.getByRole('button', { name: 'Check in here' }).click();
  await switchOver();
  const current = async () => (await user.client.rpc('my_check_in')).data;
  await expect.poll(current).toMatchObject([{ park_id: second }]);
  const now = await current();

  // Another device switches back and the bar is not updated. The check-out ends only the visit that the bar shows.
  await page.route('**/rpc/my_check_in', (route) => route.fulfill({ json: now }));
  await user.client.rpc('check_in', { p_park_id: first, p_dog_count: 1, p_switch: true });
  // A user who has reviewed the park is offered to edit the review.
  await user.client.rpc('accept_terms', { p_licence: true });
  await writeReview(user, first, 'As it was', 4);
  await page.unroute('**/rpc/my_check_in');
  await page.getByRole('button', { name: 'Check out' }).click();
  await expect(bar).toContainText(before.name);
  await expect(leaving).toContainText(name);
  await leaving.getByRole('button', { name: 'Skip' }).click();
  await page.getByRole('button', { name: 'Check out' }).click();
  const goodbye = page.getByRole('status').filter({ hasText: /for \d+ minutes?\./ });
  await expect(goodbye).toContainText(before.name);
  await goodbye.getByRole('button', { name: 'Edit your review' }).click();
  await expect(page.getByRole('dialog').getByLabel('Title')).toHaveValue('As it was');
});

test('a visit can be extended; an expired one no longer counts', async ({ site, pageFor }) => {
  const { id: park } = await reservePark(site);
  const user = await site.user();
  const page = await pageFor(user);
  await shortenPolling(page);
  await page.goto(`/parks/${park}/`);
  await checkIn(page);
  const bar = page.getByRole('region', { name: 'You are here' });
  await page.getByRole('button', { name: 'Stay 30 minutes longer' }).click();
  await expect(bar).toContainText(/1 hr, (30|29|28) mins left/);

  await site.sql`update public.check_ins set started_at = now() - interval '3 hours', expires_at = now() - interval '1 second'
     where user_id = ${user.id} and ended_at is null`;
  await expect(bar).toBeHidden();
  await expect(dogsNow(page)).toContainText('No dogs now');
  const goodbye = page.getByRole('dialog', { name: 'See you soon!' });
  await expect(goodbye).toContainText('for 3 hours.');
  await goodbye.getByRole('button', { name: 'Skip' }).click();
  // The prompt appears only once, even after a reload.
  await page.reload();
  await expect(dogsNow(page)).toContainText('No dogs now');
  await expect(goodbye).toHaveCount(0);
});

test('an app opened at a park offers the check-in once', async ({ site, pageFor }) => {
  const park = await reservePark(site);
  const page = await pageFor(await site.user());
  await standAt(page, park);
  await page.goto('/');
  const offer = page.getByRole('region', { name: 'You are at a park' });
  await expect(offer).toContainText(`You’re at ${park.name}`);
  // The cards stay within reach, because the user may want to check in at another park.
  const cards = page.getByRole('list', { name: 'Parks around' });
  await cards.getByRole('button').first().click({ trial: true });
  await offer.getByRole('button', { name: 'Not now' }).click();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Notifications' })).toBeVisible();
  await settled(page);
  await expect(offer).toHaveCount(0);

  // Simulates a new visit. An init script removes the record on the next page, because this page may still be about to write it.
  await page.addInitScript(() => localStorage.removeItem('offeredAtPark'));
  await page.reload();
  await offer.getByRole('button', { name: 'Check in' }).click();
  await confirmCheckIn(page).click();
  await expect(page.getByRole('region', { name: 'You are here' })).toContainText(park.name);
  await expect(offer).toHaveCount(0);
  await cards.getByRole('button').first().click({ trial: true });
  // Users who have just checked out do not get the check-in offer either.
  await page.reload();
  await page.getByRole('button', { name: 'Check out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click();
  await settled(page);
  await expect(offer).toHaveCount(0);
});

test.describe('with the expected error on the console', () => {
  test.use({ allowedErrors: [/status of 400/] });

  test('a check-in that started before the login continues after it', async ({ page, site }) => {
    const { id: park, name } = await reservePark(site);
    const user = await site.user();
    // As after a login with Google, which does not provide the age.
    await site.sql`update private.user_consents set age_confirmed_at = null where user_id = ${user.id}`;
    await page.goto(`/parks/${park}/`);
    await page.getByRole('button', { name: 'Check in here' }).click();
    await expect(page.getByRole('link', { name: 'Sign up' })).toBeVisible();
    await page
      .getByRole('dialog', { name: `Check in at ${name}` })
      .getByRole('link', { name: 'Log in' })
      .click();
    await logIn(page, user);
    const sheet = page.getByRole('dialog', { name: 'Check in', exact: true });
    await sheet.getByRole('button', { name: 'Check in', exact: true }).click();
    const age = page.getByRole('dialog', { name: 'Your age' });
    await age.getByRole('button', { name: 'Confirm' }).click();
    await expect(age.getByRole('checkbox')).toHaveAccessibleDescription('Please confirm your age');
    await age.getByRole('checkbox').check();
    await age.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
    await expect(page).toHaveURL(`/parks/${park}/`);
    const { data } = await user.client.rpc('my_consents');
    expect(data).toMatchObject({ age_confirmed: true });
  });
});

test('visitors can read but are asked to log in', async ({ page }) => {
  await page.goto('/parks/1/reviews');
  const review = page.getByRole('article').first();
  await expect(review).toBeVisible();
  // Visitors see a paw instead of a user's photo or initial.
  await expect(review.locator('[data-tone]')).toHaveText('');
  const sheet = page.getByRole('dialog');
  const expectGate = async (button: string | RegExp, text: string) => {
    await page.getByRole('button', { name: button }).click();
    await expect(sheet).toContainText(text);
    await expect(sheet.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', /\/login\?/);
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
  };
  await expectGate('Write a review', 'Log in to write a review');
  await page.getByRole('link', { name: 'The park', exact: true }).click();
  for (const [button, text] of [
    ['Check in here', 'Join the pack so friends can see you’re here'],
    ['Add a photo', 'Log in to add photos'],
    ['Report a condition', 'Log in to report what’s going on at a park'],
    ['Add to favourites', 'Log in to save this park to your favourites'],
    [/Add missing details|Suggest a correction/, 'Log in to add details'],
  ] as const)
    await expectGate(button, text);
  await page.goto('/parks/new');
  await expect(page.getByText('Log in to add a park')).toBeVisible();
  await expect(page.getByLabel('City')).toHaveCount(0);
  await page.goto('/meetings');
  await expect(page.getByText('Log in to see your meetings')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Log in' })).toBeVisible();
});

test.describe('rejected', () => {
  test.use({ allowedErrors: [/status of 400/] });

  test('the reason for a rejected check-in stays in its sheet', async ({ site, pageFor }) => {
    const { id: park } = await reservePark(site);
    const user = await site.user();
    const dog = await addDog(user, 'Luna');
    const page = await pageFor(user);
    // Otherwise the page would learn that the dog is gone, and the check-in would be accepted.
    await page.routeWebSocket('**/realtime/**', () => {});
    await page.goto(`/parks/${park}/`);
    await page.getByRole('button', { name: 'Check in here' }).click();
    await expect(page.getByRole('dialog').getByRole('checkbox', { name: 'Luna' })).toBeVisible();
    await settled(page);
    await site.sql(`delete from public.dogs where id = $1`, [dog]);
    const sheet = page.getByRole('dialog');
    const confirm = sheet.getByRole('button', { name: 'Check in', exact: true });
    // Observed by the page from before the click, because the popup is shown for two seconds only.
    const shown = page.waitForFunction(() => document.querySelector('[data-popup]'));
    await Promise.all([shown, confirm.click()]);
    await expect(page.locator('[data-popup]')).toHaveCount(0);
    await expect(sheet.getByText('Oh oh!').first()).toBeVisible();
    await expect(confirm).toBeFocused();
  });
});
