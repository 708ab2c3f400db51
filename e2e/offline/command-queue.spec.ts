// Each command is given without a network, and its first answers are lost: nothing is lost, nothing is done twice.
import type { Page } from '@playwright/test';
import { addDog, befriend, inviteTo, picture, reservePark, unfold } from '../support/fixtures.ts';
import { expect, test, type Person, type Site } from '../support/test.ts';
import {
  cachedOn,
  expectCached,
  CUT,
  loseAnswers,
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
  person: Person;
  /** Somebody else, who has agreed to the rules. */
  other: Person;
  park: number;
}

interface Command {
  name: string;
  address: string;
  asksForRules?: true;
  /** How many commands it is, where it is more than one. */
  parts?: number;
  /** Brings the page to where the command can be done. */
  open: (scene: Scene) => Promise<void>;
  act: (scene: Scene) => Promise<void>;
  /** The rows of the person ($1) that doing it makes, or takes away. */
  makes?: string;
  takes?: string;
}

/** How often it was done, as the database knows. */
async function count({ site, person }: Scene, { makes, takes }: Command): Promise<number> {
  const text = `select count(*)::int from ${makes ?? takes}`;
  const [row] = await site.sql<{ count: number }>(text, [person.id]);
  return makes === undefined ? 1 - (row?.count ?? 0) : (row?.count ?? 0);
}

const FRIENDSHIP = `private.friendships where $1 in (user_low, user_high) and status = 'accepted'`;

async function choosePicture(page: Page, input: string): Promise<void> {
  await page
    .locator(input)
    .setInputFiles({ name: 'rex.jpg', mimeType: 'image/jpeg', buffer: await picture('jpeg') });
}

/** The card of somebody's lost dog, far from where other journeys look. */
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
    asksForRules: true,
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
    name: 'a weekly meeting',
    address: '**/rpc/answer_pack_time',
    async open({ page, site, person, other, park }) {
      await befriend(person, other);
      await site.sql`with made as (insert into private.pack_times (park_id, weekday, starts) values (${park}, 2, '18:00') returning id)
         insert into private.pack_time_members (pack_time_id, user_id) select id, ${other.id} from made`;
      await page.goto(`/parks/${park}/visitors`);
      await expect(page.getByRole('button', { name: 'Come along' })).toBeVisible();
    },
    async act({ page }) {
      await page.getByRole('button', { name: 'Come along' }).click();
      await expect(page.getByRole('radio', { name: 'Coming', exact: true })).toBeChecked();
    },
    makes: 'private.pack_time_members where user_id = $1',
  },
  {
    name: 'the theme',
    address: '**/rest/v1/users?id=*',
    async open({ page, person }) {
      await page.goto(`/profile/${person.id}/settings`);
      await unfold(page);
    },
    act: ({ page }) => page.getByRole('radio', { name: 'Dark' }).check(),
    makes: `public.users where id = $1 and theme = 'dark'`,
  },
  {
    name: 'an accepted request',
    address: '**/rpc/accept_friend_request',
    async open({ page, person, other }) {
      await other.client.rpc('send_friend_request', { p_user_id: person.id });
      await page.goto(`/profile/${person.id}/friends`);
      await expect(page.getByText('1 friend request')).toBeVisible();
    },
    async act({ page }) {
      await page.getByRole('button', { name: 'Accept' }).click();
      await expect(page.getByText('1 friend request')).toBeHidden();
      await expect(page.getByText('not sent yet')).toBeVisible();
    },
    makes: FRIENDSHIP,
  },
  {
    name: 'the end of a friendship',
    address: '**/rpc/unfriend',
    async open({ page, person, other }) {
      await befriend(person, other);
      await page.goto(`/profile/${other.id}`);
      await expect(page.getByRole('button', { name: 'Unfriend' })).toBeVisible();
    },
    async act({ page }) {
      await page.getByRole('button', { name: 'Unfriend' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Unfriend' }).click();
      await expect(page.getByText(/are no longer friends · not sent yet/)).toBeVisible();
    },
    takes: FRIENDSHIP,
  },
  {
    name: 'a meeting that is called off',
    address: '**/rpc/call_off_meeting',
    async open({ page, person, other, park }) {
      await befriend(person, other);
      await inviteTo(person, other, park);
      await page.goto('/meetings');
      await expect(page.getByRole('button', { name: 'Call it off' })).toBeVisible();
    },
    async act({ page }) {
      await page.getByRole('button', { name: 'Call it off' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Call it off' }).click();
      await expect(page.getByText('The meeting is off · not sent yet')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Call it off' })).toBeHidden();
    },
    takes: 'public.park_invites where sender_id = $1',
  },
  {
    name: 'a photo of a dog',
    address: '**/storage/v1/object/users/**',
    async open({ page, person }) {
      const dogId = await addDog(person, 'Luna');
      await page.goto(`/profile/${person.id}/dogs/${dogId}`);
      await page.getByRole('button', { name: 'Add a photo' }).click();
    },
    async act({ page }) {
      await choosePicture(page, 'input[type=file]:not([capture])');
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
      // The card is read without a network, too.
      await page.reload();
      await page.getByRole('button', { name: 'I saw it' }).click();
      const where = page.getByRole('dialog', { name: 'Where did you see' });
      await where.getByRole('button', { name: 'My location' }).click();
      await choosePicture(page, 'input[type=file]');
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
  test(`${command.name} is done once, over a restart and a lost answer`, async ({
    pageFor,
    site,
  }) => {
    const [person, other] = [await site.person(), await site.person()];
    const { asksForRules, parts = 1 } = command;
    await other.client.rpc('accept_terms', { p_licence: true });
    if (!asksForRules) await person.client.rpc('accept_terms', { p_licence: true });
    const { id: park } = await reservePark(site);
    const page = await pageFor(person);
    const scene = { page, site, person, other, park };
    await command.open(scene);
    await readyForOffline(page);
    // The terms are not accepted yet, which this device then knows.
    if (asksForRules) await expectCached(page, '"terms_accepted":false');
    await page.context().setOffline(true);
    await command.act(scene);
    if (asksForRules) await agree(page);
    // The agreement waits, too, and goes first.
    const waiting = asksForRules ? 2 : parts;
    await expectQueued(page, waiting);
    expect(await count(scene, command), 'sent').toBe(0);
    // The app is closed and started again, still without a network.
    await page.goto('/about');
    await expectQueued(page, waiting);
    const mend = await loseAnswers(page, command.address);
    await page.context().setOffline(false);
    await expect.poll(() => count(scene, command)).toBe(1);
    await expectQueued(page);
    await mend();
    await expectQueueEmpty(page);
    expect(await count(scene, command), 'done').toBe(1);
  });

test('the last of two quick taps counts, none overtakes the queue', async ({ pageFor, site }) => {
  const person = await site.person();
  const { id: park } = await reservePark(site);
  const page = await pageFor(person);
  const heart = (what: 'Add to' | 'Remove from') =>
    page.getByRole('button', { name: `${what} favourites` });
  // Whether it is a favourite is part of an answer that is cached only once it came.
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
  // It moves the heart, and must not do so below the taps.
  await expect(page.getByText('No internet connection')).toBeVisible();
  await heart('Add to').click();
  await heart('Remove from').click();
  await expect(heart('Add to')).toBeVisible();
  await expectQueued(page);
  // The second tap shows before the device keeps it and what it shows: without that, the start below would know the first.
  await expect.poll(() => queuedInputs(page)).toEqual([{ parkId: park, favourite: false }]);
  await expect.poll(async () => (await cachedOn(page))?.text).toContain('"is_favourite":false');
  // The browser was asked not to clear what waits.
  await expect(page.locator('body')).toHaveAttribute('data-asked-to-stay', 'yes');

  // A start in which the moment before the queue is read lasts until it is let go.
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
  const favourites = () => person.client.from('favourite_parks').select('park_id');
  await expect.poll(async () => (await favourites()).data).toEqual([{ park_id: park }]);
  // It is taken from the queue a moment after the server has it.
  await expect.poll(() => queuedOn(page)).toBe(0);
});
