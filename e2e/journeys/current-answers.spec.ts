// What a screen says is what the server has now: not a page of earlier, not the rows that happen to be loaded.
import { expect, test } from '../support/test.ts';
import { befriend } from '../support/fixtures.ts';

test('the number of new notifications is that of the server', async ({ site, pageFor }) => {
  const [me, friend] = [await site.person(), await site.person()];
  await site.sql`insert into public.notifications (type, sender_id, receiver_id, title, app_message, is_ready, seen_at)
     select 'friendApproval', ${friend.id}, ${me.id}, 'New friend', 'Hello', true, now() from generate_series(1, 60)`;
  const page = await pageFor(me, { at: '/notifications' });
  await expect(page.getByRole('heading', { name: '60 new notifications' })).toBeVisible();
});

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
    page.getByRole('navigation').getByText(new RegExp(`^${String(count)} unseen`));
  await page.goto(`/profile/${accepted.id}`);
  await expect(badge(3)).toBeAttached();
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(badge(2)).toBeAttached();
  await takenBack.client.rpc('cancel_friend_request', request);
  await expect(badge(1)).toBeAttached();
  await me.client.rpc('decline_friend_request', { p_user_id: declined.id });
  await expect(badge(1)).toHaveCount(0);
});

test('a visitor is asked to log in for their meetings', async ({ page }) => {
  await page.goto('/meetings');
  await expect(page.getByText('Log in to see your meetings')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Log in' })).toBeVisible();
});

test.describe(() => {
  test.use({ allowedErrors: [/status of 404/] });

  test('an address of no park asks the server for none', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/rest\/v1\//.test(request.url())) asked.push(request.url());
    });
    await page.goto('/parks/abc');
    await expect(page.getByText('Could not find page')).toBeVisible();
    expect(asked.filter((url) => !url.includes('/rpc/live_counts'))).toEqual([]);
  });
});
