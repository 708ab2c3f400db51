// What a screen says is what the server has now: not a page of earlier, not the rows that happen to be loaded.
import { expect, test } from '../support/test.ts';
import { befriend } from '../support/fixtures.ts';

test('what a friend shows is decided by their choice of now', async ({ site, pageFor }) => {
  const [me, friend] = [await site.person(), await site.person()];
  await befriend(me, friend);
  const page = await pageFor(me);
  const tab = page.getByRole('link', { name: 'Friends', exact: true });
  await page.goto(`/profile/${friend.id}/dogs`);
  await expect(page.getByRole('heading', { name: friend.name })).toBeVisible();
  await expect(tab).toHaveCount(0);
  await friend.client.from('users').update({ show_friends: true }).eq('id', friend.id);
  await page.evaluate((path) => {
    history.pushState({}, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/profile/${friend.id}/friends`);
  await expect(page).toHaveURL(/friends$/);
  await expect(tab).toBeVisible();
});

test('a request that was settled elsewhere is no longer new', async ({ site, pageFor }) => {
  const me = await site.person();
  const [accepted, declined, takenBack] = [
    await site.person(),
    await site.person(),
    await site.person(),
  ];
  const request = { p_user_id: me.id };
  for (const { client } of [accepted, declined, takenBack])
    await client.rpc('send_friend_request', request);
  const page = await pageFor(me);
  const badge = (count: number) =>
    page.getByRole('navigation').getByText(new RegExp(`^${String(count)} new`));
  await page.goto(`/profile/${accepted.id}`);
  await expect(badge(3)).toBeAttached();
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(badge(2)).toBeAttached();
  await takenBack.client.rpc('cancel_friend_request', request);
  await expect(badge(1)).toBeAttached();
  await me.client.rpc('decline_friend_request', { p_user_id: declined.id });
  await expect(badge(1)).toHaveCount(0);
});
