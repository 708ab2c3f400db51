// Failures of the queue: rejections, another park, a full device, an old session, a wrong clock, a server that never responds.
import type { Page } from '@playwright/test';
import {
  acceptTerms,
  checkIn,
  confirmCheckIn,
  reservePark,
  unfold,
  writeReview,
} from '../support/fixtures.ts';
import { homeMap } from '../support/home-driver.ts';
import { accessFindings } from '../support/screen-checks.ts';
import { expect, type Language, test } from '../support/test.ts';
import { navigator, navigateTo } from '../support/navigation.ts';
import {
  CUT,
  expectCached,
  expectQueueEmpty,
  expectQueued,
  readyForOffline,
  shiftClock,
  queuedOn,
} from '../support/offline-driver.ts';

test.use({
  installed: true,
  allowedErrors: [new RegExp(`${CUT.source}|status of (400|403)|QuotaExceeded`)],
});

async function checkInOffline(page: Page, parkId: number): Promise<void> {
  await page.goto(`/parks/${parkId}/`);
  await readyForOffline(page);
  await page.getByRole('button', { name: 'Check in here' }).click();
  const confirm = confirmCheckIn(page);
  await expect(confirm).toBeEnabled();
  await page.context().setOffline(true);
  await confirm.click();
  await expectQueued(page);
}

test('a late check-in of a user who is elsewhere offers to switch parks, in an accessible list in each language', async ({
  pageFor,
  site,
}) => {
  const user = await site.user();
  await acceptTerms(user);
  // The account of a new user would follow the language of each page, which the next page could mistake for another device's choice.
  await site.sql`update public.users set created_at = now() - interval '1 day' where id = ${user.id}`;
  const [here, there] = [await reservePark(site), await reservePark(site)];
  const page = await pageFor(user);
  await page.goto(`/parks/${here.id}/`);
  await readyForOffline(page);
  await expect(page.getByRole('button', { name: 'Add to favourites' })).toBeVisible();
  await page.getByRole('link', { name: 'Reviews', exact: true }).click();
  await page.getByRole('button', { name: 'Write a review' }).click();
  await page.getByRole('radio', { name: '4 stars' }).check();
  await page
    .getByLabel('What should others know?')
    .fill('Shade all day.\nA tap for dogs. מים טובים');
  await expectCached(page, '"terms_accepted":true');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Post review' }).click();
  await expectQueued(page);
  await page.getByRole('link', { name: 'The park', exact: true }).click();
  await checkIn(page);
  await expectQueued(page, 2);
  // The server rejects the first two commands for different reasons, and the third one stays queued.
  await user.client.rpc('check_in', { p_park_id: there.id, p_dog_count: 1 });
  await writeReview(user, here.id, 'From another device', 2);
  await page.route('**/rest/v1/favourite_parks*', (route) => route.abort('connectionreset'));
  await page.getByRole('button', { name: 'Add to favourites' }).click();
  await expectQueued(page, 3);

  await page.context().setOffline(false);
  const bar = page.getByRole('button', { name: /2 changes were rejected|שתי פעולות|إجراءان/ });
  const list = page.getByRole('dialog');
  for (const language of ['he', 'ar', 'en'] satisfies Language[]) {
    await expect(bar).toBeVisible();
    await page.evaluate((name) => localStorage.setItem('language', name), language);
    await page.reload();
    await expect(bar).toBeVisible();
    expect(await accessFindings(page, language)).toEqual([]);
    await bar.click();
    await expect(list.getByRole('listitem')).toHaveCount(3);
    expect(await accessFindings(page, language)).toEqual([]);
  }
  await expect(list).toContainText('You are checked in at another park');
  await expect(list).toContainText(here.name);
  const { data: before } = await user.client.rpc('my_check_in');
  expect(before).toMatchObject([{ park_id: there.id }]);
  await list.getByRole('button', { name: 'Switch parks' }).click();
  await expect
    .poll(async () => (await user.client.rpc('my_check_in')).data)
    .toMatchObject([{ park_id: here.id }]);
  await expect(list.getByRole('listitem')).toHaveCount(2);
});

test('a queued visit is shown from the check-in to its end', async ({ pageFor, site }) => {
  const user = await site.user();
  const park = await reservePark(site);
  const page = await pageFor(user);
  await checkInOffline(page, park.id);
  const bar = page.getByRole('region', { name: 'You are here' });
  await expect(bar).toContainText(park.name);
  await expect(bar).toContainText('not sent yet');
  // The queued check-in is also shown on the map, its cards and the list.
  const onMap = homeMap(page);
  await onMap.open(`/?lat=${park.lat}&long=${park.long}`);
  await expect(onMap.marker(park.name)).toHaveAccessibleName(/You are here/);
  const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('listitem');
  await expect(cards.filter({ hasText: 'You are here' })).toContainText(park.name);
  await page.goto(`/parks?q=${encodeURIComponent(park.name)}`);
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows.filter({ hasText: 'You are here' })).toContainText(park.name);
  await page.goto(`/parks/${park.id}/`);
  const enter = page.getByRole('button', { name: 'Check in here' });
  await expect(enter).toHaveCount(0);
  await page.getByRole('button', { name: 'Stay 30 minutes longer' }).click();
  await expect(bar).toContainText(/1 hr, (30|29|28) mins left/);
  await bar.getByRole('button', { name: 'Check out' }).click();
  await expect(bar).toHaveCount(0);
  const goodbye = page.getByRole('dialog', { name: 'See you soon!' });
  await expect(goodbye).toContainText(park.name);
  await goodbye.getByRole('button', { name: 'Skip' }).click();
  await expect(enter).toBeVisible();

  await page.context().setOffline(false);
  await expect(page.getByRole('button', { name: /refused|waits?/ })).toBeHidden();
  await expect
    .poll(
      () => site.sql`select park_id::int, ended_at is not null as ended,
         round(extract(epoch from expires_at - started_at) / 60)::int as minutes
       from public.check_ins where user_id = ${user.id}`,
    )
    .toEqual([{ park_id: park.id, ended: true, minutes: 90 }]);
});

test("numbers of dogs include the user's own, on page, card, popup and list", async ({
  pageFor,
  site,
}) => {
  const user = await site.user();
  const park = await reservePark(site);
  await user.client.rpc('check_in', { p_park_id: park.id, p_dog_count: 2 });
  const page = await pageFor(user, { at: `/parks/${park.id}/` });
  const onPage = page.getByTestId('dogs-now');
  await expect(onPage).toContainText('2 dogs now');
  await readyForOffline(page);
  const onMap = homeMap(page);
  await onMap.open(`/?lat=${park.lat}&long=${park.long}&park=${park.id}`);
  await expect(onMap.popup(park.name)).toContainText('2 dogs now');

  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Check out' }).click();
  await page
    .getByRole('dialog', { name: 'See you soon!' })
    .getByRole('button', { name: 'Skip' })
    .click();
  await expect(onMap.popup(park.name)).toContainText('No dogs now');
  await page.keyboard.press('Escape');
  const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('listitem');
  await expect(cards.filter({ hasText: park.name })).toContainText('No dogs now');
  await navigateTo(page, `/parks?q=${encodeURIComponent(park.name)}`);
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: park.name });
  await expect(row).toContainText('No dogs now');
  await navigateTo(page, `/parks/${park.id}/`);
  await expect(onPage).toContainText('No dogs now');
  await checkIn(page);
  await expect(onPage).toContainText('1 dog now');

  await page.context().setOffline(false);
  await expectQueueEmpty(page);
  await expect(onPage).toContainText('1 dog now');
});

test('an expired check-in can only be discarded', async ({ pageFor, site }) => {
  const user = await site.user();
  const page = await pageFor(user);
  await checkInOffline(page, (await reservePark(site)).id);
  // Moves the clock two hours ahead, beyond the planned stay of one hour.
  await shiftClock(page, 120);
  await page.goto('/about');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: '1 change was rejected' }).click();
  const list = page.getByRole('dialog', { name: 'Waiting to be sent' });
  await expect(list).toContainText('it may no longer be true');
  await expect(list.getByRole('button', { name: 'Try again' })).toBeHidden();
  await list.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('button', { name: /refused|waits/ })).toBeHidden();
  expect((await user.client.rpc('my_check_in')).data).toEqual([]);
});

test('a later rejection shows its reason and can be retried', async ({ pageFor, site }) => {
  const [user, other] = [await site.user(), await site.user()];
  const page = await pageFor(user, { at: `/profile/${other.id}` });
  await expect(page.getByRole('button', { name: 'Add friend' })).toBeVisible();
  await readyForOffline(page);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Add friend' }).click();
  await expectQueued(page);
  // As after a login with Google, which does not provide the age.
  await site.sql`update private.user_consents set age_confirmed_at = null where user_id = ${user.id}`;
  await page.context().setOffline(false);
  await page.getByRole('button', { name: '1 change was rejected' }).click();
  const list = page.getByRole('dialog', { name: 'Waiting to be sent' });
  await expect(list).toContainText('Rejected: Please confirm your age first');
  const age = page.getByRole('dialog', { name: 'Your age' });
  const tryAgain = async (answer: string) => {
    await list.getByRole('button', { name: 'Try again' }).click();
    await expect(age).toBeVisible();
    if (answer === 'Confirm') await age.getByRole('checkbox').check();
    await age.getByRole('button', { name: answer }).click();
  };
  await tryAgain('Not now');
  await expect(list).toContainText('Rejected: Please confirm your age first');
  await tryAgain('Confirm');
  await expect
    .poll(async () => (await other.client.from('friend_requests').select('user_id')).data)
    .toEqual([{ user_id: user.id }]);
  await expect(list).toBeHidden();
  await expect(page.getByRole('button', { name: /refused|waits/ })).toBeHidden();
});

test('logging out needs a confirmation before it deletes queued commands', async ({
  pageFor,
  site,
}) => {
  const user = await site.user();
  const page = await pageFor(user);
  await checkInOffline(page, (await reservePark(site)).id);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  const question = page.getByRole('alertdialog', { name: 'Log out anyway?' });
  await expect(question).toContainText('1 change has not been sent yet');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expectQueued(page);

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await question.getByRole('button', { name: 'Delete and log out' }).click();
  await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible();
  await expectQueueEmpty(page);
  await expect.poll(() => queuedOn(page)).toBe(0);
  // After logging in again, the same user has no queued commands.
  await page.context().setOffline(false);
  await page.evaluate(
    (session) => localStorage.setItem('packpark-session', session),
    JSON.stringify(user.session),
  );
  await page.goto('/parks');
  await expect(page.getByRole('link', { name: 'Profile' })).toBeVisible();
  await expectQueueEmpty(page);
  expect((await user.client.rpc('my_check_in')).data).toEqual([]);
});

for (const [words, minutes] of [
  ['ahead', 5],
  ['behind', -5],
] as const)
  test(`a clock five minutes ${words} checks in and out`, async ({ pageFor, site }) => {
    const user = await site.user();
    const page = await pageFor(user);
    await shiftClock(page, minutes);
    await checkInOffline(page, (await reservePark(site)).id);
    await page.context().setOffline(false);
    await expectQueueEmpty(page);
    await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
    await page.getByRole('button', { name: 'Check out' }).click();
    await expect(page.getByRole('dialog', { name: 'See you soon!' })).toBeVisible();
    await expect.poll(async () => (await user.client.rpc('my_check_in')).data).toEqual([]);
  });

test('a page that was never viewed shows an offline message in each part', async ({
  pageFor,
  site,
}) => {
  const [user, other] = [await site.user(), await site.user()];
  const page = await pageFor(user);
  const goTo = await navigator(page);
  await readyForOffline(page);
  await expectCached(page, '"consents"');
  await page.context().setOffline(true);
  for (const address of [
    `/profile/${other.id}/dogs`,
    `/profile/${user.id}/friends`,
    `/profile/${user.id}/settings`,
    '/notifications',
    '/parks/3/reviews',
    '/parks/3/visitors',
    '/parks/99999/',
  ]) {
    await goTo(address);
    if (address.endsWith('settings')) await unfold(page);
    await expect(
      page
        .getByRole('main')
        .getByText(/no internet connection/i)
        .first(),
      address,
    ).toBeVisible();
    await expect(page.locator('[aria-busy=true]'), address).toHaveCount(0);
  }
});

test.describe(() => {
  test.use({ installed: false });

  test('a server that never responds leads to a message instead of an endless spinner', async ({
    pageFor,
    site,
  }) => {
    const [user, other] = [await site.user(), await site.user()];
    const page = await pageFor(user);
    await page.clock.install();
    await page.route('**/rpc/user_page', () => new Promise<void>(() => undefined));
    const asked = page.waitForRequest('**/rpc/user_page');
    await page.goto(`/profile/${other.id}`, { waitUntil: 'commit' });
    await asked;
    await page.clock.fastForward('00:25');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('no internet connection');
  });
});
