// Two devices of one user: a change on one shows on the other within seconds without a reload.
import type { Page, WebSocketRoute } from '@playwright/test';
import { withFactor } from '../support/moderator.ts';
import { addDog, checkIn, reservePark } from '../support/fixtures.ts';
import { texts } from '../support/texts.ts';
import { expect, test } from '../support/test.ts';

test.use({ allowedErrors: [/status of (400|401|403)|net::|WebSocket/] });

test("changes on one device show on the user's others", async ({ site, pageFor }) => {
  const park = await reservePark(site);
  const user = await site.user();
  const [phone, laptop] = [await pageFor(user), await pageFor(user)];
  const joined = laptop.waitForEvent('websocket');
  await phone.goto(`/parks/${park.id}/`);
  await laptop.goto(`/parks/${park.id}/`);
  await joined;
  await expect(laptop.getByRole('button', { name: 'Check in here' })).toBeVisible();

  await checkIn(phone);
  const bar = laptop.getByRole('region', { name: 'You are here' });
  await expect(bar).toContainText(park.name);
  await expect(laptop.getByRole('button', { name: 'Check in here' })).toHaveCount(0);
  await phone.getByRole('button', { name: 'Check out' }).click();
  await expect(bar).toHaveCount(0);
  // Only the phone shows the visit-ended prompt.
  const goodbye = { name: 'See you soon!' };
  await phone.getByRole('dialog', goodbye).getByRole('button', { name: 'Skip' }).click();
  await expect(laptop.getByRole('button', { name: 'Check in here' })).toBeVisible();
  await expect(laptop.getByRole('dialog', goodbye)).toHaveCount(0);

  await phone.getByRole('button', { name: 'Add to favourites' }).click();
  await expect(laptop.getByRole('button', { name: 'Remove from favourites' })).toBeVisible();
  await addDog(user, 'Rex');
  await laptop.getByRole('button', { name: 'Check in here' }).click();
  await expect(laptop.getByRole('checkbox', { name: 'Rex' })).toBeVisible();
  await laptop.keyboard.press('Escape');

  const html = laptop.locator('html');
  await user.client.from('users').update({ theme: 'dark' }).eq('id', user.id);
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await user.client.from('users').update({ language: 'he' }).eq('id', user.id);
  await expect(html).toHaveAttribute('lang', 'he');
  await user.client.from('users').update({ language: 'en' }).eq('id', user.id);
  await expect(html).toHaveAttribute('lang', 'en');

  await laptop.getByRole('link', { name: 'Profile' }).first().click();
  const title = laptop.getByRole('heading', { level: 1 });
  await expect(title).toContainText(user.name);
  await user.client.from('users').update({ name: 'Dana Carmel' }).eq('id', user.id);
  await expect(title).toContainText('Dana Carmel');
  await (await site.user()).client.rpc('send_friend_request', { p_user_id: user.id });
  const unseen = (page: Page) => page.getByRole('link', { name: /1 new notification/ });
  await expect(unseen(laptop)).toBeVisible();
  await unseen(phone).click();
  await expect(unseen(laptop)).toHaveCount(0);
  const read = phone.getByRole('button', { name: 'Mark all as read' });
  await read.click();
  await expect(read).toHaveCount(0);
  await expect
    .poll(
      () =>
        site.sql`select from public.notifications where receiver_id = ${user.id} and read_at is null`,
    )
    .toEqual([]);

  // Both devices show the message after the user logs out on all devices.
  await user.client.auth.signOut();
  for (const page of [phone, laptop])
    await expect(page.getByText('You have been logged out. Please log in again.')).toBeVisible();
});

test('a device that a new second factor has logged out shows the reason', async ({
  site,
  pageFor,
}) => {
  const user = await site.user();
  const page = await pageFor(user, { at: '/meetings' });
  await expect(page.getByRole('heading', { name: 'Meetings' })).toBeVisible();
  // The app is closed meanwhile. An open one would show the reason before this test reads it.
  await page.goto('/healthz');
  const client = site.client();
  await client.auth.signInWithPassword(user);
  await withFactor({ ...user, client });
  await page.goto('/meetings');
  await expect(page.getByText('Two-step verification was turned on')).toBeVisible();
});

test('missed changes show when realtime reconnects, and otherwise nothing is requested', async ({
  site,
  pageFor,
}) => {
  const user = await site.user();
  await user.client.rpc('check_in', { p_park_id: (await reservePark(site)).id });
  const page = await pageFor(user);
  const sockets: WebSocketRoute[] = [];
  let isCut = true;
  await page.routeWebSocket(/realtime/, (socket) => {
    if (isCut) return socket.close();
    socket.connectToServer();
    sockets.push(socket);
  });
  await page.goto(`/profile/${user.id}/dogs`);
  const theme = page.locator('html[data-theme=dark]');
  await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
  await addDog(user, 'Rex');
  await user.client.from('users').update({ theme: 'dark' }).eq('id', user.id);
  const all = page.waitForResponse('**/auth/v1/user', { timeout: 30_000 });
  isCut = false;
  await expect(theme).toBeAttached({ timeout: 30_000 });
  await expect(page.getByRole('main')).toContainText('Rex');
  await all;

  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const before = sockets.length;
  const joined = page.waitForResponse(
    (answer) => /users\?select=.*own_changes/.test(answer.url()) && sockets.length > before,
    { timeout: 30_000 },
  );
  for (const socket of sockets) await socket.close();
  await joined;
  await user.client.from('users').update({ theme: 'light' }).eq('id', user.id);
  await expect(theme).toHaveCount(0);
  // After reconnecting, the app refetches all user data if something has changed, otherwise none of it.
  expect(asked.filter((url) => url.includes('/auth/v1/user'))).toEqual([]);

  // Leave the app, so that it misses the next change.
  await page.goto('/config.json');
  await user.client.from('users').update({ theme: 'dark', language: 'he' }).eq('id', user.id);
  await page.goto('/about');
  await expect(page.locator('html[data-theme=dark][lang=he]')).toBeAttached();
});

test('a tab without realtime follows the other tab', async ({ site, pageFor }) => {
  const park = await reservePark(site);
  const user = await site.user();
  const page = await pageFor(user, { at: `/parks/${park.id}/` });
  const tab = await page.context().newPage();
  await tab.routeWebSocket(/realtime/, (socket) => socket.close());
  await tab.goto(`/parks/${park.id}/`);
  const heart = (of: Page, what: string) => of.getByRole('button', { name: `${what} favourites` });
  const bar = tab.getByRole('region', { name: 'You are here' });

  await heart(page, 'Add to').click();
  await expect(heart(tab, 'Remove from')).toBeVisible();
  await checkIn(page);
  await expect(bar).toContainText(park.name);

  await page.context().setOffline(true);
  await heart(page, 'Remove from').click();
  await expect(heart(tab, 'Add to')).toHaveAccessibleDescription('not sent yet');
  await page.getByRole('button', { name: 'Check out' }).click();
  await expect(bar).toHaveCount(0);
});

test("the visit bar names the park in the user's language before the server does", async ({
  site,
  pageFor,
}) => {
  const park = await reservePark(site);
  const user = await site.user();
  await user.client.rpc('check_in', { p_park_id: park.id });
  const { data: inEnglish } = await user.client.rpc('my_check_in');
  const page = await pageFor(user);
  await page.route('**/rpc/my_check_in*', (route) => route.fulfill({ json: inEnglish }));
  await page.goto(`/parks/${park.id}/`);
  await expect(page.getByRole('region', { name: 'You are here' })).toContainText(park.name);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('button', { name: 'עברית' }).click();
  const [hebrew] = await site.sql<{ name: string }>(
    `select name from public.park_translations where park_id = $1 and language = 'he'`,
    [park.id],
  );
  await expect(
    page.getByRole('region', { name: texts('he')('checkIns.here.title') }),
  ).toContainText(hebrew?.name ?? '-');
});
