// Two users in two browsers: searching, befriending, meeting, blocking. Each sees changes immediately, and only what they may see.
import { expectAccessible } from '../support/accessible.ts';
import { befriend } from '../support/fixtures.ts';
import { expect, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';
import { navigateTo } from '../support/navigation.ts';

test('a request appears without a reload and is accepted in the list', async ({
  site,
  pageFor,
}) => {
  const ann = await site.user('Ann Alder');
  const ben = await site.user('Ben Birch');
  const annsPage = await pageFor(ann);
  const bensPage = await pageFor(ben, { at: '/notifications' });
  await expect(bensPage.getByText('All quiet.')).toBeVisible();

  await annsPage.goto(`/profile/${ben.id}`);
  await annsPage.getByRole('button', { name: 'Add friend' }).click();
  await expect(annsPage.getByText('Friend request sent')).toBeVisible();

  await expect(bensPage.getByRole('heading', { name: '1 new notification' })).toBeVisible();
  await expectAccessible(bensPage);
  await bensPage.getByRole('button', { name: 'Accept' }).click();
  await expect(bensPage.getByText('Accepted')).toBeVisible();
  await expect(bensPage.getByText('You and Ann Alder are now friends')).toBeVisible();

  await expect(annsPage.getByRole('link', { name: 'Invite to a park' })).toBeVisible();
  await expect(annsPage.getByRole('link', { name: /1 new notification/ })).toBeVisible();
  const { data } = await ann.client.from('friends').select('name');
  expect(data).toEqual([{ name: 'Ben Birch' }]);

  // Ben's other friends and favourite parks are private until he shows them to friends.
  const cleo = await site.user('Cleo Clover');
  await befriend(cleo, ben);
  await ben.client.from('favourite_parks').insert({ park_id: 2 });
  const tabs = annsPage.getByRole('navigation', { name: 'Profile' }).getByRole('link');
  await expect(tabs).toHaveText(['Dogs', 'Reviews', 'Info']);
  await bensPage.goto(`/profile/${ben.id}/settings`);
  await bensPage.getByRole('switch', { name: 'Friends see my friends' }).check();
  await bensPage.getByRole('switch', { name: 'Friends see my favourite parks' }).check();
  await expect
    .poll(() =>
      site.sql('select show_friends, show_favourites from public.users where id = $1', [ben.id]),
    )
    .toEqual([{ show_friends: true, show_favourites: true }]);
  // Access depends on the current setting, not on a cached page.
  await navigateTo(annsPage, `/profile/${ben.id}/friends`);
  await expect(annsPage).toHaveURL(/friends$/);
  await expect(tabs.getByText('Friends')).toBeVisible();
  await expect(annsPage.getByRole('link', { name: 'Cleo Clover' })).toBeVisible();
  await tabs.getByText('Favourites').click();
  await expect(annsPage.getByRole('link', { name: /^Swallow Corner/ })).toBeVisible();
});

test('a request can be cancelled and leaves no trace', async ({ site, pageFor }) => {
  const ann = await site.user();
  const ben = await site.user();
  const page = await pageFor(ann, { at: `/profile/${ben.id}` });
  await page.getByRole('button', { name: 'Add friend' }).click();
  await expect(page.getByText('Friend request sent')).toBeVisible();
  await page.goto(`/profile/${ann.id}/friends`);
  await expect(page.getByRole('heading', { name: 'Pending requests' })).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: ben.name });
  // The whole row links to the user, except for the button above the link.
  await row.click({ position: { x: 24, y: 24 } });
  await expect(page).toHaveURL(new RegExp(`/profile/${ben.id}`));
  await page.goBack();
  await row.getByRole('button', { name: `Remove request: ${ben.name}` }).click();
  await expect(page.getByText('Friend request removed')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Pending requests' })).toBeHidden();
  await expect
    .poll(async () => (await ben.client.from('friend_requests').select('user_id')).data)
    .toEqual([]);
});

test('a request that was answered on another device is not new', async ({ site, pageFor }) => {
  const me = await site.user();
  const [accepted, declined, withdrawn] = [await site.user(), await site.user(), await site.user()];
  const request = { p_user_id: me.id };
  for (const { client } of [accepted, declined, withdrawn])
    await client.rpc('send_friend_request', request);
  const page = await pageFor(me);
  const badge = (count: number) =>
    page.getByRole('navigation').getByText(new RegExp(`^${String(count)} new`));
  await page.goto(`/profile/${accepted.id}`);
  await expect(badge(3)).toBeAttached();
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(badge(2)).toBeAttached();
  await withdrawn.client.rpc('cancel_friend_request', request);
  await expect(badge(1)).toBeAttached();
  await me.client.rpc('decline_friend_request', { p_user_id: declined.id });
  await expect(badge(1)).toHaveCount(0);
});

test.describe('with the error on the console', () => {
  test.use({ allowedErrors: [/users\.page\.notFound|Failed to load resource/] });

  test('a rejected request is reported and can be repeated', async ({ site, pageFor }) => {
    const [ann, ben] = [await site.user(), await site.user('Elm Elder')];
    const page = await pageFor(ann, { at: `/profile/${ben.id}` });
    await page.route('**/rpc/send_friend_request', (route) =>
      route.fulfill({ status: 500, json: { code: 'XX000', message: 'out of biscuits' } }),
    );
    await page.getByRole('button', { name: 'Add friend' }).click();
    await expect(
      page.getByText('The friend request failed. Please try again later.'),
    ).toBeVisible();
    await page.unroute('**/rpc/send_friend_request');
    // If the user declines to confirm the age, a message explains the rejection.
    await page.route('**/rpc/send_friend_request', (route) =>
      route.fulfill({ status: 400, json: { code: 'P0001', message: 'age_required' } }),
    );
    await page.getByRole('button', { name: 'Add friend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
    await expect(page.getByText('Please confirm your age first')).toBeVisible();
    await page.unroute('**/rpc/send_friend_request');
    await page.getByRole('button', { name: 'Add friend' }).click();
    await expect(page.getByRole('button', { name: 'Remove request' })).toBeVisible();
    // The button shows the request immediately, before it has reached the server.
    await expect
      .poll(async () => (await ben.client.rpc('accept_friend_request', { p_user_id: ann.id })).data)
      .toBe('friends');
    await page.getByRole('button', { name: 'More about Elm Elder' }).click();
    await page.getByRole('menuitem', { name: 'Unfriend' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unfriend' }).click();
    await expect(page.getByText('You and Elm Elder are no longer friends')).toBeVisible();

    // In the list, too, the row changes before the response.
    await befriend(ann, ben);
    await page.goto(`/profile/${ann.id}/friends`);
    await page.route('**/rpc/unfriend', () => undefined);
    const sent = page.waitForRequest('**/rpc/unfriend');
    const unfriend = page.getByRole('button', { name: 'Unfriend Elm Elder' });
    await unfriend.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unfriend' }).click();
    await sent;
    await expect(unfriend).toHaveCount(0);
  });
});

test("a visitor finds users by a dog's name, then logs in, in Arabic", async ({ pageFor }) => {
  const page = await pageFor(undefined, { language: 'ar' });
  const t = texts('ar');
  await page.goto('/users');
  await page.getByRole('searchbox').fill('Zaatar');
  await expect(page.getByText('Noa Levi')).toBeVisible();
  await expect(page.getByText(t('users.search.gate'))).toBeVisible();
  await expect(page.getByRole('link', { name: 'Noa Levi' })).toHaveCount(0);
  const login = page.getByRole('main').getByRole('link', { name: t('ui.login') });
  await expect(login).toHaveAttribute('href', '/login?mode=login');
});
