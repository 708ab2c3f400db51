// Each command is queued without a network and its first responses are lost: nothing is lost and nothing is done twice.
import type { Page } from '@playwright/test';
import {
  addDog,
  befriend,
  inviteTo,
  pictureFile,
  reservePark,
  unfold,
} from '../support/fixtures.ts';
import { expect, test, type TestUser, type Site } from '../support/test.ts';
import { navigateTo } from '../support/navigation.ts';
import {
  cachedOn,
  expectCached,
  CUT,
  dropResponses,
  expectQueueEmpty,
  expectQueued,
  readyForOffline,
  queuedInputs,
  queuedOn,
} from '../support/offline-driver.ts';

test.use({ installed: true, allowedErrors: [CUT] });

interface Scene {
  page: Page;
  site: Site;
  user: TestUser;
  /** Another user, who has accepted the rules. */
  other: TestUser;
  park: number;
}

interface Command {
  name: string;
  address: string;
  promptsForRules?: true;
  /** The number of queued commands if `act` creates more than one. */
  parts?: number;
  /** Navigates to the screen from which the command can be run. */
  open: (scene: Scene) => Promise<void>;
  act: (scene: Scene) => Promise<void>;
  /** SQL for the rows that the command creates, where $1 is the user's ID. */
  makes: string;
}

/** Returns how often the command was executed, according to the database. */
async function count({ site, user }: Scene, { makes }: Command): Promise<number> {
  const text = `select count(*)::int from ${makes}`;
  const [row] = await site.sql<{ count: number }>(text, [user.id]);
  return row?.count ?? 0;
}

/** Opens the card of another user's lost dog, far from the places that other tests use. */
async function openLost({ page, site, other }: Scene): Promise<void> {
  const dog = await addDog(other, 'Rexy');
  const place = { p_lat: 29.55, p_long: 34.95 };
  const { data: lost } = await other.client.rpc('report_lost_dog', { p_dog_id: dog, ...place });
  await site.sql`update private.lost_dogs set approved_at = now() where dog_id = ${dog}`;
  await page.goto(`/?lost=${lost}`);
  await expect(page.getByRole('dialog', { name: 'Lost dogs' })).toBeVisible();
  for (const words of ['Rexy', '"terms_accepted":true']) await expectCached(page, words);
}

const COMMANDS: Command[] = [
  {
    name: 'a review',
    address: '**/rpc/save_review',
    promptsForRules: true,
    async open({ page, park }) {
      await page.goto(`/parks/${park}/reviews`);
      await page.getByRole('button', { name: 'Write a review' }).click();
      await page.getByRole('radio', { name: '4 stars' }).check();
      await page.getByLabel('What should others know?').fill('Good water');
    },
    act: ({ page }) => page.getByRole('button', { name: 'Post review' }).click(),
    makes: `public.reviews where author = $1 and content = 'Good water'`,
  },
  {
    name: 'a photo of a dog',
    address: '**/storage/v1/object/users/**',
    async open({ page, user }) {
      const dogId = await addDog(user, 'Luna');
      await page.goto(`/profile/${user.id}/dogs/${dogId}`);
      await page.getByRole('button', { name: 'Add a photo' }).click();
    },
    async act({ page }) {
      await page.locator('input[type=file]:not([capture])').setInputFiles(await pictureFile());
      await page.getByRole('button', { name: 'Use this photo' }).click();
    },
    makes: `storage.objects where bucket_id = 'users' and starts_with(name, $1)`,
  },
  {
    name: 'where a lost dog was seen, with a photo',
    parts: 2,
    address: '**/storage/v1/object/sightings/**',
    open: openLost,
    async act({ page }) {
      // The card is cached, too.
      await page.reload();
      await page.getByRole('button', { name: 'I saw it' }).click();
      const where = page.getByRole('dialog', { name: 'Where did you see' });
      await where.getByRole('button', { name: 'My location' }).click();
      await page.locator('input[type=file]').setInputFiles(await pictureFile());
      await where.getByRole('button', { name: 'Send' }).click();
    },
    makes: `storage.objects where bucket_id = 'sightings' and owner_id = $1`,
  },
];

async function agree(page: Page): Promise<void> {
  const rules = page.getByRole('dialog', { name: 'Our park rules' });
  await rules.getByRole('button', { name: 'Agree' }).click();
}

for (const command of COMMANDS)
  test(`${command.name} is done once, over a restart and a lost response`, async ({
    pageFor,
    site,
  }) => {
    const [user, other] = [await site.user(), await site.user()];
    const { promptsForRules, parts = 1 } = command;
    await other.client.rpc('accept_terms', { p_licence: true });
    if (!promptsForRules) await user.client.rpc('accept_terms', { p_licence: true });
    const { id: park } = await reservePark(site);
    const page = await pageFor(user);
    const scene = { page, site, user, other, park };
    await command.open(scene);
    await readyForOffline(page);
    // The terms are not accepted yet, and this device knows that.
    if (promptsForRules) await expectCached(page, '"terms_accepted":false');
    await page.context().setOffline(true);
    await command.act(scene);
    if (promptsForRules) await agree(page);
    // The acceptance is queued, too, and sent first.
    const waiting = promptsForRules ? 2 : parts;
    await expectQueued(page, waiting);
    expect(await count(scene, command), 'sent').toBe(0);
    // The app is closed and started again, still without a network.
    await page.goto('/about');
    await expectQueued(page, waiting);
    const mend = await dropResponses(page, command.address);
    await page.context().setOffline(false);
    await expect.poll(() => count(scene, command)).toBe(1);
    await expectQueued(page);
    await mend();
    await expectQueueEmpty(page);
    expect(await count(scene, command), 'done').toBe(1);
  });

test('actions on five screens are done once, over a restart and lost responses', async ({
  pageFor,
  site,
}) => {
  const [user, former] = [await site.user(), await site.user()];
  const [asking, guest] = [await site.user(), await site.user()];
  const { id: park } = await reservePark(site);
  for (const friend of [former, guest]) await befriend(user, friend);
  await asking.client.rpc('send_friend_request', { p_user_id: user.id });
  await inviteTo(user, guest, park);
  await site.sql`with made as (insert into private.pack_times (park_id, weekday, starts) values (${park}, 2, '18:00') returning id)
     insert into private.pack_time_members (pack_time_id, user_id) select id, ${guest.id} from made`;
  const page = await pageFor(user, { at: `/profile/${user.id}/settings` });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const requests = page.getByText('1 friend request');
  await unfold(page);
  await navigateTo(page, `/profile/${user.id}/friends`);
  await expect(requests).toBeVisible();
  for (const [address, name] of [
    [`/profile/${former.id}/dogs`, `More about ${former.name}`],
    ['/meetings', 'Call it off'],
    [`/parks/${park}/visitors`, 'Come along'],
  ] as const) {
    await navigateTo(page, address);
    await expect(button(name)).toBeVisible();
  }
  await readyForOffline(page);
  await page.context().setOffline(true);
  const confirm = (name: string) =>
    page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();
  await button('Come along').click();
  await expect(page.getByRole('radio', { name: 'Coming', exact: true })).toBeChecked();
  await navigateTo(page, '/meetings');
  await button('Call it off').click();
  await confirm('Call it off');
  await expect(page.getByText('The meeting is off · not sent yet')).toBeVisible();
  await expect(button('Call it off')).toBeHidden();
  await navigateTo(page, `/profile/${former.id}/dogs`);
  await button(`More about ${former.name}`).click();
  await page.getByRole('menuitem', { name: 'Unfriend' }).click();
  await confirm('Unfriend');
  await expect(page.getByText(/are no longer friends · not sent yet/)).toBeVisible();
  await navigateTo(page, `/profile/${user.id}/friends`);
  await button(`Accept: ${asking.name}`).click();
  await expect(requests).toBeHidden();
  await expect(page.getByRole('main').getByText('not sent yet')).toBeVisible();
  await navigateTo(page, `/profile/${user.id}/settings`);
  await unfold(page);
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expectQueued(page, 5);
  const done = async () => {
    const [row] = await site.sql`select theme::text,
      exists (select from private.pack_time_members where user_id = u.id) as comes,
      exists (select from public.park_invites where sender_id = u.id) as invites
      from public.users u where id = ${user.id}`;
    const { data } = await user.client.from('friends').select('id:user_id').order('user_id');
    return { ...row, friends: data };
  };
  const friends = (...all: TestUser[]) =>
    all.map(({ id }) => ({ id })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(await done()).toMatchObject({
    comes: false,
    invites: true,
    friends: friends(former, guest),
  });
  await page.goto('/about');
  await expectQueued(page, 5);
  const lost = new Set<string>();
  await page
    .context()
    .route(
      /unfriend$|accept_friend_request|call_off|respond_to_pack_time|\/v1\/users\?/,
      async (route) => {
        const { pathname } = new URL(route.request().url());
        if (route.request().method() === 'GET' || lost.has(pathname)) return route.fallback();
        lost.add(pathname);
        await route.fetch();
        await route.abort('connectionreset');
      },
    );
  await page.context().setOffline(false);
  await expectQueueEmpty(page);
  expect(lost.size).toBe(5);
  expect(await done()).toEqual({
    theme: 'dark',
    comes: true,
    invites: false,
    friends: friends(guest, asking),
  });
});

test('the last of two quick taps wins, and none overtakes the queue', async ({ pageFor, site }) => {
  const user = await site.user();
  const { id: park } = await reservePark(site);
  const page = await pageFor(user);
  const heart = (what: 'Add to' | 'Remove from') =>
    page.getByRole('button', { name: `${what} favourites` });
  // Waits for the response with the favourite state, because the device caches it only after it has arrived.
  const status = page.waitForResponse(/rpc\/park_status/);
  await page.goto(`/parks/${park}/`);
  await (await status).finished();
  await readyForOffline(page);
  await page.evaluate(() => {
    navigator.storage.persist = () => {
      document.body.dataset.askedToStay = 'yes';
      return Promise.resolve(false);
    };
  });
  await page.context().setOffline(true);
  // Wait for the offline banner, because its appearance moves the heart, which must not happen between the taps.
  await expect(page.getByText('No internet connection')).toBeVisible();
  await heart('Add to').click();
  await heart('Remove from').click();
  await expect(heart('Add to')).toBeVisible();
  await expectQueued(page);
  // The second tap is shown before it is stored in the queue and in the cache, so wait for both before the restart.
  await expect.poll(() => queuedInputs(page)).toEqual([{ parkId: park, favourite: false }]);
  await expect.poll(async () => (await cachedOn(page))?.text).toContain('"is_favourite":false');
  // The app has requested persistent storage from the browser.
  await expect(page.locator('body')).toHaveAttribute('data-asked-to-stay', 'yes');

  // Delays reading the queue at the start until it is released.
  await page.addInitScript(() => {
    const held: (() => void)[] = [];
    const later = setTimeout;
    Object.assign(window, {
      setTimeout: (task: () => void, ms?: number, ...rest: unknown[]) =>
        ms === 2000 ? held.push(task) : later(task, ms, ...rest),
      letGo: () => held.forEach((task) => task()),
    });
  });
  await page.goto(`/parks/${park}/`);
  await expect(heart('Add to')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('No internet connection')).toBeHidden();
  await heart('Add to').click();
  await expect(heart('Remove from')).toBeVisible();
  await page.evaluate(() => (window as unknown as { letGo(): void }).letGo());
  await expectQueueEmpty(page);
  const favourites = () => user.client.from('favourite_parks').select('park_id');
  await expect.poll(async () => (await favourites()).data).toEqual([{ park_id: park }]);
  // The command is removed from the queue a moment after the server's response.
  await expect.poll(() => queuedOn(page)).toBe(0);
});
