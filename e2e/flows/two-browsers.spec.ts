// Two users in two browsers: each sees the other's changes immediately, and only what they may see.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  acceptTerms,
  befriend,
  confirmCheckIn,
  makeRegulars,
  reservePark,
} from '../support/fixtures.ts';
import { keyboardOf } from '../support/keyboard-driver.ts';
import { expect, shortenPolling, test, type TestUser, type Site } from '../support/test.ts';
import { navigateTo } from '../support/navigation.ts';

// Pages of users who blocked the caller or deleted their account are rejected.
test.use({ allowedErrors: [/users\.page\.notFound|status of 40[0-9]/] });

/** Two friends who have accepted the rules, each in a browser, and a park of their own. */
async function createFriends(site: Site, pageFor: (user: TestUser) => Promise<Page>) {
  const token = randomUUID().slice(0, 6);
  const [ann, ben] = [await site.user(`Ann ${token}`), await site.user(`Ben ${token}`)];
  for (const user of [ann, ben]) await acceptTerms(user);
  await befriend(ann, ben);
  const [annsPage, bensPage] = [await pageFor(ann), await pageFor(ben)];
  for (const page of [annsPage, bensPage]) await shortenPolling(page);
  const { id: park, lat, long } = await reservePark(site);
  return { ann, ben, annsPage, bensPage, park, onMap: `/?lat=${lat}&long=${long}` };
}

test('a friend at the park is shown by name, to others only as a number', async ({
  site,
  pageFor,
}) => {
  const { ben, annsPage, bensPage, park, onMap } = await createFriends(site, pageFor);
  await annsPage.goto(`/parks/${park}/visitors`);
  await expect(annsPage.getByText('None of your friends is here now.')).toBeVisible();
  await bensPage.goto(`/parks/${park}/`);
  await bensPage.getByRole('button', { name: 'Check in here' }).click();
  await bensPage.getByRole('button', { name: 'One more' }).click();
  await confirmCheckIn(bensPage).click();
  await expect(bensPage.getByRole('region', { name: 'You are here' })).toBeVisible();
  await expect(annsPage.getByRole('link', { name: ben.name })).toBeVisible();
  const cards = (page: Page) => page.getByRole('list', { name: 'Parks around' });
  await navigateTo(annsPage, onMap);
  await expect(cards(annsPage)).toContainText(`${ben.name} is here`);
  const here = { name: `${ben.name} is here` };
  const pin = (page: Page, named: object) =>
    page.locator('button[aria-pressed]').and(page.getByRole('button', named));
  await expect(pin(annsPage, here)).toHaveCount(1);
  await navigateTo(bensPage, onMap);
  await expect(pin(bensPage, { name: 'You are here' })).toHaveCount(1);
  await navigateTo(annsPage, '/parks');
  const listed = annsPage
    .getByRole('listitem')
    .filter({ has: annsPage.locator(`a[href="/parks/${park}"], a[href="/parks/${park}/"]`) });
  await expect(listed.getByText(here.name)).toBeVisible();
  await expect(annsPage.getByRole('listitem').filter({ hasText: here.name })).toHaveCount(1);
  const other = await site.user();
  const { data } = await other.client.rpc('park_status', { p_park_id: park });
  const seen = JSON.stringify(data);
  expect(seen).not.toContain(ben.id);
  expect(seen).not.toContain(ben.name);
});

test('an invite is sent once, answered by keyboard, and changed', async ({ site, pageFor }) => {
  const { ann, ben, annsPage, bensPage, park } = await createFriends(site, pageFor);
  await annsPage.goto(`/parks/${park}/visitors`);
  const unseen = annsPage.getByRole('link', { name: /1 new notification/ });
  // The unseen notification is that Ben accepted the friend request.
  await expect(unseen).toBeVisible();
  await bensPage.goto('/notifications');
  await annsPage.getByRole('button', { name: 'Invite friends' }).click();
  await annsPage.getByRole('checkbox', { name: ben.name }).check();
  await annsPage.getByRole('button', { name: `Invite ${ben.name}` }).dblclick();
  const invite = bensPage.getByRole('listitem').filter({ hasText: 'Meet at the park?' });
  const keys = keyboardOf(bensPage);
  await keys.press(invite.getByRole('button', { name: /^Coming/ }));
  await keys.announces('Accepted');
  await keys.focuses('link Change');
  await expect(annsPage.getByRole('link', { name: /2 new notifications/ })).toBeVisible();
  await navigateTo(annsPage, '/notifications');
  await expect(annsPage.getByText('See you at the park')).toHaveCount(1);
  const invites =
    await site.sql`select count(*)::int from public.park_invites where sender_id = ${ann.id}`;
  expect(invites).toEqual([{ count: 1 }]);

  // The notification shows the response and a link for changing it, whether it was read or not.
  await bensPage.reload();
  await keys.press(invite.getByRole('link', { name: 'Change' }));
  await keys.focuses('heading Meetings');
  await expect(bensPage.getByText(`${ann.name} invited you`)).toBeVisible();
  await expect(bensPage.getByRole('radio', { name: 'Coming', exact: true })).toBeChecked();
  // The page shows the response before the server has stored it. So this waits for the server, from which the other page and the
  // calendar read it.
  const answered = async (choice: string) => {
    const saved = bensPage.waitForResponse('**/rpc/respond_to_invite');
    await bensPage.getByText(choice, { exact: true }).click();
    await (await saved).finished();
  };
  await answered('Not coming');
  await annsPage.getByRole('link', { name: 'Meetings' }).click();
  const guest = annsPage.getByRole('listitem').filter({ hasText: ben.name }).last();
  await expect(guest).toContainText('not coming');
  await answered('Coming');
  await expect(bensPage.getByText('Only you have said yes so far')).toBeVisible();
  await expect(bensPage.getByRole('radio', { name: 'Coming', exact: true })).toBeChecked();
  // The guest list shows the new response, too.
  await expect(guest.getByText('coming', { exact: true })).toBeVisible();

  // The calendar feed shows the same until it is disabled.
  await bensPage.getByRole('button', { name: 'Create an address' }).click();
  const address = await bensPage.getByText(/\/calendar\/\w{64}\.ics$/).innerText();
  const file = await fetch(address);
  expect(file.headers.get('content-type')).toContain('text/calendar');
  expect(await file.text()).toContain('DESCRIPTION:You are coming');
  await expect(bensPage.getByRole('link', { name: 'Open in the calendar app' })).toHaveAttribute(
    'href',
    address.replace('http:', 'webcal:'),
  );
  await bensPage.getByRole('button', { name: 'Turn off' }).click();
  await bensPage.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
  await expect(bensPage.getByRole('button', { name: 'Create an address' })).toBeVisible();
  expect((await fetch(address)).status).toBe(404);

  await annsPage.getByRole('button', { name: 'Call it off' }).click();
  await annsPage.getByRole('alertdialog').getByRole('button', { name: 'Call it off' }).click();
  await expect(annsPage.getByText('No meetings planned.')).toBeVisible();
  await navigateTo(bensPage, '/notifications');
  await expect(bensPage.getByText('The meeting is off')).toBeVisible();
  await expect(invite).toHaveCount(0);
});

test('by keyboard only: a regular starts a weekly meeting, others join and skip it', async ({
  site,
  pageFor,
}) => {
  const { ann, ben, annsPage, bensPage, park } = await createFriends(site, pageFor);
  const [anns, bens] = [keyboardOf(annsPage), keyboardOf(bensPage)];
  await makeRegulars(site, park, ann);
  await annsPage.goto(`/parks/${park}/visitors`);
  await anns.press(annsPage.getByRole('button', { name: 'Start a weekly meeting' }));
  await anns.focuses('heading Start a weekly meeting');
  const sheet = annsPage.getByRole('dialog');
  await anns.to(sheet.getByLabel('Day'));
  await annsPage.keyboard.type('Saturday');
  await anns.press(sheet.getByRole('button', { name: 'Start it' }));
  await anns.announces('See you there every week');
  await anns.focuses('button Start a weekly meeting');
  const at = (page: Page) => page.getByRole('region', { name: 'Weekly meetings' });
  await expect(at(annsPage)).toContainText('Saturdays 18:00');
  await bensPage.goto(`/parks/${park}/visitors`);
  await expect(at(bensPage)).toContainText(`${ann.name}`);
  await bens.press(at(bensPage).getByRole('button', { name: 'Come along' }));
  await bens.focuses('radio Coming');
  await navigateTo(bensPage, '/meetings');
  await bens.to(bensPage.getByRole('radio', { name: 'Coming', exact: true }));
  await bensPage.keyboard.press('ArrowRight');
  await bens.focuses('radio Not coming');
  await expect
    .poll(() =>
      site.sql('select skipped from private.pack_time_members where user_id = $1', [ben.id]),
    )
    .toEqual([{ skipped: expect.any(Date) as Date }]);
  expect([...anns.findings, ...bens.findings]).toEqual([]);
});

test('a blocked user is only counted, not a friend, and finds no page', async ({
  site,
  pageFor,
}) => {
  const { ann, ben, annsPage, bensPage, park } = await createFriends(site, pageFor);
  await ben.client.rpc('check_in', { p_park_id: park, p_dog_count: 1 });
  await annsPage.goto(`/parks/${park}/visitors`);
  await expect(annsPage.getByRole('link', { name: ben.name })).toBeVisible();
  await navigateTo(annsPage, `/profile/${ben.id}`);
  await annsPage.getByRole('button', { name: `More about ${ben.name}` }).click();
  await annsPage.getByRole('menuitem', { name: 'Block' }).click();
  await annsPage.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await expect(annsPage.getByText('Blocked')).toBeVisible();
  await navigateTo(annsPage, `/parks/${park}/visitors`);
  await expect(annsPage.getByText('None of your friends is here now.')).toBeVisible();
  await expect(annsPage.getByText(ben.name)).toHaveCount(0);
  await bensPage.goto(`/profile/${ben.id}/friends`);
  await expect(bensPage.getByText('No friends yet.')).toBeVisible();
  await navigateTo(bensPage, `/profile/${ann.id}`);
  await expect(bensPage.getByRole('heading', { level: 1 })).toContainText('User not found');
});
