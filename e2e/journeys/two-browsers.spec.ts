// Two people in two browsers, from strangers to friends and apart again: each sees at once what they should, and nothing else.
import { randomUUID } from 'node:crypto';
import { expect, test } from '../support/test.ts';

// Where the other has blocked or gone, their page is refused.
test.use({ allowedErrors: [/users\.page\.notFound|status of 40[0-9]/] });

test('ask, accept, meet, invite, review, block, leave', async ({ site, pageFor }) => {
  // Others at a park are asked for each 15 seconds, and that happens twice here.
  test.setTimeout(150_000);
  const token = randomUUID().slice(0, 6);
  const ann = await site.person(`Ann ${token}`);
  const ben = await site.person(`Ben ${token}`);
  for (const { client } of [ann, ben]) await client.rpc('accept_terms');
  const park = 27;
  const [anns, bens] = [await pageFor(ann), await pageFor(ben)];

  // Ann asks; Ben sees it at once where he is, and Ann sees his yes without a reload.
  await bens.goto(`/profile/${ben.id}/friends`);
  await expect(bens.getByText('No friends yet.')).toBeVisible();
  await anns.goto(`/profile/${ben.id}`);
  await anns.getByRole('button', { name: 'Add friend' }).click();
  await expect(bens.getByRole('heading', { name: '1 friend request' })).toBeVisible();
  await bens.getByRole('button', { name: 'Accept' }).click();
  await expect(bens.getByText(`You and ${ann.name} are now friends`)).toBeVisible();
  await expect(anns.getByRole('button', { name: 'Unfriend' })).toBeVisible();
  await expect(anns.getByRole('link', { name: /1 unseen notification/ })).toBeVisible();

  // Ben comes to the park; Ann, who looks at it, sees him by name, and a stranger a number.
  await anns.goto(`/parks/${park}/visitors`);
  await expect(anns.getByText('None of your friends is here now.')).toBeVisible();
  await bens.goto(`/parks/${park}/`);
  await bens.getByRole('button', { name: 'Check in here' }).click();
  await bens.getByRole('button', { name: 'One more' }).click();
  await bens.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
  await expect(bens.getByRole('region', { name: 'You are here' })).toBeVisible();
  await expect(anns.getByRole('link', { name: ben.name })).toBeVisible();
  const stranger = await site.person();
  const seen = async () =>
    JSON.stringify((await stranger.client.rpc('park_visitors', { p_park_id: park })).data);
  expect(await seen()).not.toContain(ben.id);
  expect(await seen()).not.toContain(ben.name);

  // Ann invites, Ben answers in his list, Ann hears of it.
  await bens.goto('/notifications');
  await anns.getByRole('button', { name: 'Invite friends here' }).click();
  await anns.getByRole('checkbox', { name: ben.name }).check();
  await anns.getByRole('button', { name: 'Send invites' }).dblclick();
  const invite = bens.getByRole('listitem').filter({ hasText: 'Meet at the park?' });
  await invite.getByRole('button', { name: 'Accept' }).click();
  await expect(invite.getByText('Accepted')).toBeVisible();
  await expect(anns.getByRole('link', { name: /2 unseen notifications/ })).toBeVisible();
  await anns.goto('/notifications');
  await expect(anns.getByText('See you at the park')).toHaveCount(1);
  const invites = await site.sql(
    'select count(*)::int from public.park_invites where sender_id = $1',
    [ann.id],
  );
  expect(invites).toEqual([{ count: 1 }]);

  // Ben writes without his name: Ann reads it, and nothing that reaches her says whose it is.
  await bens.goto(`/parks/${park}/reviews`);
  await bens.getByRole('button', { name: 'Write a review' }).click();
  const sheet = bens.getByRole('dialog');
  await sheet.getByRole('radio', { name: '5 stars' }).check();
  await sheet.getByLabel('Title').fill(`Quiet ${token}`);
  await sheet.getByRole('switch', { name: 'Post anonymously' }).check();
  await sheet.getByRole('button', { name: 'Post review' }).click();
  await expect(sheet).toHaveCount(0);
  const answers: string[] = [];
  anns.on('response', async (response) => {
    if (/park_reviews|reviews\?/.test(response.url()))
      answers.push(await response.text().catch(() => ''));
  });
  await anns.goto(`/parks/${park}/reviews`);
  const review = anns.getByRole('article').filter({ hasText: `Quiet ${token}` });
  await expect(review).toContainText('Anonymous');
  // A body arrives here a little later than on the screen.
  await expect.poll(() => answers.join()).toContain(`Quiet ${token}`);
  expect(answers.join()).not.toContain(ben.id);

  // Ann blocks Ben: neither sees the other any more, at the park he is a number only.
  await anns.goto(`/profile/${ben.id}`);
  await anns.getByRole('button', { name: `More about ${ben.name}` }).click();
  await anns.getByRole('menuitem', { name: 'Block' }).click();
  await anns.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await expect(anns.getByText('Blocked')).toBeVisible();
  await anns.goto(`/parks/${park}/visitors`);
  await expect(anns.getByText('None of your friends is here now.')).toBeVisible();
  await expect(anns.getByText(ben.name)).toHaveCount(0);
  await bens.goto(`/profile/${ben.id}/friends`);
  await expect(bens.getByText('No friends yet.')).toBeVisible();
  await bens.goto(`/profile/${ann.id}`);
  await expect(bens.getByText('User not found')).toBeVisible();

  // Ben leaves for good: his words and his dog at the park go with him.
  await bens.goto(`/profile/${ben.id}/settings`);
  await bens.getByRole('button', { name: 'Delete account' }).click();
  await bens.getByRole('button', { name: 'Delete for good' }).dblclick();
  await expect(bens).toHaveURL('/user-deleted');
  await anns.goto(`/parks/${park}/reviews`);
  await expect(anns.getByText('No reviews yet.')).toBeVisible();
  const left = await site.sql(
    'select 1 from public.check_ins where user_id = $1 union all select 1 from public.notifications where sender_id = $1 or receiver_id = $1',
    [ben.id],
  );
  expect(left).toEqual([]);
});
