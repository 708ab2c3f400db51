// The number of taps for the most frequent actions, counted by the page.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  acceptTerms,
  addDog,
  befriend,
  checkIn,
  confirmCheckIn,
  pictureFile,
  reservePark,
  standAt,
} from '../support/fixtures.ts';
import { isOnTop } from '../support/home-driver.ts';
import { makeItMorning } from '../support/offline-driver.ts';
import { expect, test } from '../support/test.ts';
import { navigateTo } from '../support/navigation.ts';

test.use({ viewport: { width: 390, height: 844 } });

/**
 * Counts taps from now on, also across pages.
 * @returns a function that returns the count
 */
async function countTaps(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    // On the document, because Playwright cancels taps at the window that would hit another element.
    document.addEventListener(
      'pointerdown',
      () => sessionStorage.setItem('taps', String(Number(sessionStorage.getItem('taps')) + 1)),
      true,
    );
  });
  return async () => Number(await page.evaluate(() => sessionStorage.getItem('taps')));
}

test("one tap checks in at the user's location, one undoes it without a trace, two leave and rate, and one adds a photo", async ({
  site,
  pageFor,
}) => {
  const [park, user] = [await reservePark(site), await site.user()];
  const dogs = [await addDog(user, 'Luna'), await addDog(user, 'Max')];
  await acceptTerms(user);
  const page = await pageFor(user);
  await standAt(page, park);
  const taps = await countTaps(page);
  // Add these only on the first page, because undoing clears them.
  await page.addInitScript((ids) => {
    if (sessionStorage.getItem('taps') === null) localStorage.setItem('usualDogs', ids);
  }, dogs.join(' '));
  await page.goto('/');
  // The app checks in with the usual dogs without opening the sheet.
  const here = page.getByRole('region', { name: 'You are here' });
  await page
    .getByRole('region', { name: 'You are at a park' })
    .getByRole('button', { name: 'Check in' })
    .click();
  await expect(here).toContainText('1 hour left');
  expect(await taps()).toBe(1);
  await here.getByRole('button', { name: 'Undo' }).click();
  await expect(here).toBeHidden();
  // Waits for the message, which appears after the host's response. The bar disappears before that.
  const undone = page.getByRole('status').filter({ hasText: 'Your check-in is undone' }).last();
  await expect(undone).toBeVisible();
  expect(await taps()).toBe(2);
  await page.goto(`/parks/${park.id}/`);
  const dogsNow = page.getByTestId('dogs-now');
  await expect(dogsNow).toContainText('No dogs now');

  // After an undo, the next check-in opens the sheet again.
  const sheet = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Check in here' }).click();
  await sheet.getByRole('radio', { name: 'Other' }).check();
  await sheet.getByRole('spinbutton', { name: 'Minutes' }).fill('241');
  await expect(confirmCheckIn(page)).toBeDisabled();
  await sheet.getByRole('spinbutton', { name: 'Minutes' }).fill('75');
  await confirmCheckIn(page).click();
  await expect(here).toContainText('1 hr, 15 mins left');
  await page.getByRole('main').getByRole('button', { name: 'Undo check-in' }).click();
  await expect(here).toBeHidden();
  // Undoing a check-in clears the stored usual dogs.
  expect(await page.evaluate(() => localStorage.getItem('usualDogs'))).toBeNull();
  await expect(undone).toBeVisible();
  await page.reload();
  await expect(dogsNow).toContainText('No dogs now');
  await expect(page.getByRole('dialog', { name: 'See you soon!' })).toHaveCount(0);

  await checkIn(page);
  await expect(here).toBeVisible();
  const before = await taps();
  await page.getByRole('button', { name: 'Check out' }).click();
  const stars = sheet.getByRole('button', { name: '4 stars' });
  await expect.poll(() => isOnTop(stars)).toBe(true);
  await expect(sheet).toContainText('Published tomorrow without your name');
  await stars.click();
  await expect
    .poll(() => site.sql('select rank, anonymous from public.reviews where author = $1', [user.id]))
    .toEqual([{ rank: 4, anonymous: true }]);
  expect((await taps()) - before).toBe(2);

  const offer = page.getByRole('region', { name: 'A photo of your visit' });
  const forFriends = offer.getByRole('button', { name: 'For friends' });
  await expect.poll(() => isOnTop(forFriends)).toBe(true);
  const chooser = page.waitForEvent('filechooser');
  await forFriends.click();
  await (await chooser).setFiles(await pictureFile());
  await expect(page.getByText('Your friends see it on Luna’s page')).toBeVisible();
  await expect(offer).toBeHidden();
  expect((await taps()) - before).toBe(3);

  const friend = await site.user('Ann');
  await befriend(user, friend);
  const luna = `/profile/${user.id}/dogs/${dogs[0]}`;
  const [theirs, photo] = [await pageFor(friend), { name: 'Photos of visits' }];
  await theirs.goto(luna);
  const seen = theirs.getByRole('region', photo);
  await expect(seen.getByRole('img', { name: 'Photo of Luna' })).toBeVisible();
  await expect(seen).not.toContainText(park.name);
  await expect(seen.getByRole('switch')).toHaveCount(0);
  await page.goto(luna);
  const mine = page.getByRole('region', photo);
  await mine.getByRole('switch', { name: 'Show park and day' }).click();
  await expect(mine).toContainText(park.name);
  await theirs.reload();
  await expect(seen).toContainText(park.name);
  // A download that is still running would fail after the friendship has ended.
  await expect(seen.getByRole('img', { name: 'Photo of Luna' })).toBeVisible();
  await user.client.rpc('unfriend', { p_user_id: friend.id });
  await theirs.reload();
  await expect(theirs.getByRole('heading', { name: 'Luna' })).toBeVisible();
  await expect(seen).toHaveCount(0);
});

test('a friend is invited in four taps, recently invited ones first, and one at a park is joined in two', async ({
  site,
  pageFor,
}) => {
  const [reserved, me, ann, ben] = [
    await reservePark(site),
    await site.user('Me'),
    await site.user('Ann'),
    await site.user('Ben'),
  ];
  const { id: park, name, lat, long } = reserved;
  for (const friend of [ann, ben]) {
    await befriend(me, friend);
  }
  await site.sql`insert into public.park_invites (park_id, sender_id, receiver_id, meet_at, status)
     values (${park}, ${me.id}, ${ben.id}, now() - interval '1 day', 'declined')`;
  const page = await pageFor(me);
  await standAt(page, { ...reserved, lat: lat + 0.1 });
  const taps = await countTaps(page);
  await page.goto(`/?lat=${lat}&long=${long}`);
  const card = page.getByRole('list', { name: 'Parks around' }).getByRole('button', { name });
  await card.click();
  await page.getByRole('button', { name: 'Invite friends' }).click();
  const sheet = page.getByRole('dialog', { name: 'Invite friends' });
  await expect(sheet.getByRole('group', { name: 'Who’s coming?' }).locator('label')).toHaveText([
    /Ben$/,
    /Ann$/,
  ]);
  await expect(sheet.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await sheet.getByText('Ann').click();
  await sheet.getByRole('button', { name: 'Invite Ann' }).click();
  const told = () =>
    site.sql`select receiver_id, meet_at - now() < interval '21 minutes' as soon from public.park_invites
       where sender_id = ${me.id} and status = 'pending' order by created_at`;
  await expect.poll(told).toEqual([{ receiver_id: ann.id, soon: true }]);
  expect(await taps()).toBe(4);

  await ben.client.rpc('check_in', { p_park_id: park, p_dog_count: 1 });
  await (await site.user()).client.rpc('send_friend_request', { p_user_id: me.id });
  await page.goto(`/profile/${me.id}/friends`);
  // Friends at a park are listed above requests.
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'At a park now',
    '1 friend request',
    'Friends',
  ]);
  const before = await taps();
  const there = page.getByRole('listitem').filter({ hasText: name });
  const coming = there.getByRole('button', { name: 'On my way to Ben' });
  await coming.click();
  await page.getByRole('dialog').getByRole('button', { name: 'I’m on my way' }).click();
  const plans = () =>
    site.sql`select park_id::int, type from public.check_ins where user_id = ${me.id} and ended_at is null`;
  await expect.poll(plans).toEqual([{ park_id: park, type: 'plan' }]);
  expect((await taps()) - before).toBe(2);
  expect(await told()).toHaveLength(1);
  const bar = page.getByRole('region', { name: 'On my way' });
  await bar.getByRole('button', { name: 'I’m here' }).click();
  await expect(page.getByText('You’re still far from the park')).toBeVisible();
  await expect(bar).toContainText(/There about/);
  // A user who is at the park is not offered to come.
  await me.client.rpc('check_in', { p_park_id: park, p_dog_count: 1 });
  await page.reload();
  await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
  // A park is named 'Two Benches'.
  await expect(there.getByText('Ben', { exact: true })).toBeVisible();
  await expect(coming).toHaveCount(0);
});

test('a user on the way announces it in four taps, and arrives or changes their mind in one', async ({
  site,
  pageFor,
}) => {
  const [park, user] = [await reservePark(site), await site.user()];
  const dog = await addDog(user, 'Luna');
  const page = await pageFor(user);
  await standAt(page, park);
  const taps = await countTaps(page);
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/rpc/check_in')) sent.push(request.postDataJSON());
  });
  await page.goto(`/?lat=${park.lat}&long=${park.long}`);
  await page
    .getByRole('region', { name: 'You are at a park' })
    .getByRole('button', { name: 'Not now' })
    .click();
  const cards = page.getByRole('list', { name: 'Parks around' });
  await cards.getByRole('button', { name: park.name }).click();
  const [before, announce] = [await taps(), page.getByRole('button', { name: 'On my way' })];
  await announce.click();
  const sheet = page.getByRole('dialog', { name: 'On my way' });
  await expect(sheet.getByRole('radio', { name: '5 mins' })).toBeChecked();
  await sheet.getByText('20 mins').click();
  // By default friends are not notified of visits.
  await sheet.getByText('A friend at a park or on the way').click();
  await expect(sheet.getByRole('switch')).toBeHidden();
  await sheet.getByRole('button', { name: 'I’m on my way' }).click();
  const bar = page.getByRole('region', { name: 'On my way' });
  await expect(bar).toContainText(/There about \d\d:\d\d/);
  expect((await taps()) - before).toBe(4);
  expect(sent).toEqual([expect.objectContaining({ p_arrives_in: 20 })]);
  expect(JSON.stringify(sent)).not.toContain('p_location');
  const visits = () =>
    site.sql`select c.type, d.dog_id from public.check_ins c left join public.check_in_dogs d on d.check_in_id = c.id
      where c.user_id = ${user.id} and c.type <> 'undone'`;
  await expect.poll(visits).toEqual([{ type: 'plan', dog_id: null }]);
  await bar.getByRole('button', { name: 'I’m here' }).click();
  await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
  await expect(bar).toBeHidden();
  await expect.poll(visits).toEqual([{ type: 'visit', dog_id: dog }]);
  expect((await taps()) - before).toBe(5);
  await page
    .getByRole('region', { name: 'You are here' })
    .getByRole('button', { name: 'Undo check-in' })
    .click();

  await announce.click();
  await sheet.getByRole('button', { name: 'I’m on my way' }).click();
  await bar.getByRole('button', { name: 'I’m not coming' }).click();
  await expect(page.getByText('You’re no longer on the way')).toBeVisible();
  await expect(bar).toBeHidden();
  await expect.poll(visits).toEqual([]);

  // The user checks in on another device while this one shows the sheet.
  await announce.click();
  await expect(sheet).toBeVisible();
  await user.client.rpc('check_in', { p_park_id: park.id, p_dog_count: 1 });
  await sheet.getByRole('button', { name: 'I’m on my way' }).click();
  await expect(page.getByText('You’re already checked in at this park')).toBeVisible();
});

test('finding water and shade near an address takes four taps', async ({ site, page }) => {
  site.external.places = [{ display_name: 'HaHed 64', lat: '32.0723', lon: '34.8193' }];
  const taps = await countTaps(page);
  await page.goto('/');
  await page.getByRole('search').getByRole('combobox').click();
  await page.keyboard.type('HaHed 64');
  await page.keyboard.press('Enter');
  for (const name of ['Water for dogs', 'Shade 6+ h'])
    await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name }).click();
  const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('button');
  await cards.filter({ hasText: 'Echo Valley' }).click();
  await expect(page.getByRole('region', { name: 'Echo Valley' })).toBeVisible();
  expect(await taps()).toBe(4);
});

test('signing up takes five taps, and adding a dog six more', async ({ site, page }) => {
  const park = await reservePark(site);
  const taps = await countTaps(page);
  await page.goto(`/parks/${park.id}/`);
  await page.getByRole('button', { name: 'Add to favourites' }).click();
  const gate = page.getByRole('dialog', { name: 'Add to favourites' });
  await expect(gate.getByRole('link').last()).toHaveText('Sign up');
  await gate.getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Your name').click();
  // The phone's keyboard moves to the next field.
  for (const typed of ['Dana', `${randomUUID()}@example.test`, 'a walk in the park']) {
    await page.keyboard.type(typed);
    await page.keyboard.press('Tab');
  }
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Join the pack' }).click();
  await expect(page.getByRole('button', { name: 'Remove from favourites' })).toBeVisible();
  expect(await taps()).toBe(5);

  await page.getByRole('link', { name: 'Profile' }).click();
  const before = await taps();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Bamba');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Mixed' }).click();
  await page.getByText('Female').click();
  // Months and years are native selects, in which one tap chooses an option.
  await page.getByLabel('Month').selectOption('May');
  await page.getByLabel('Year').selectOption('2022');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Bamba' })).toBeVisible();
  expect((await taps()) - before + 2).toBe(6);
});

test('ten questions of a dog owner are answered in at most four taps', async ({
  site,
  pageFor,
}, info) => {
  const [park, me, ruth] = [
    await reservePark(site),
    await site.user('Me'),
    await site.user('Ruth'),
  ];
  await befriend(me, ruth);
  const puppy = await addDog(me, 'Bamba');
  await site.sql`update public.dogs set birthday = now() - interval '4 months' where id = ${puppy}`;
  await site.sql`update public.parks set materials = '{GRASS}', facts = '{"drinking_water":"yes","small_dog":"separate","lit":"yes"}'
     where id = ${park.id}`;
  await acceptTerms(ruth);
  await ruth.client.rpc('check_in', { p_park_id: park.id, p_dog_count: 2 });
  await ruth.client.rpc('report_hazard', { p_park_id: park.id, p_hazard: 'awns' });
  await site.sql`insert into public.park_invites (park_id, sender_id, receiver_id, meet_at, status)
     values (${park.id}, ${ruth.id}, ${me.id}, (date_trunc('day', now() at time zone 'Asia/Jerusalem') + interval '42 hours')
       at time zone 'Asia/Jerusalem', 'accepted')`;
  const page = await pageFor(me);
  await makeItMorning(page);
  const taps = await countTaps(page);
  const main = page.getByRole('main');
  const cards = page.getByRole('list', { name: 'Parks around' }).getByRole('button');
  const card = cards.and(page.getByRole('button', { name: park.name }));
  const openPage = async () => {
    await card.click();
    await page.getByRole('link', { name: 'Details' }).click();
  };
  const fact = async (words: RegExp) => {
    await openPage();
    await expect(main).toContainText(words);
  };
  const sheet = page.getByRole('dialog', { name: 'Weather by the hour' });
  const clock = sheet.getByRole('slider', { name: 'Hour' });
  /** Midnight is at the bottom of the clock, and each hour is one twenty-fourth of the ring. */
  const pointAt = async (hour: number) => {
    await page.getByRole('button', { name: 'Weather by the hour' }).click();
    const { width, height } = await clock.evaluate((dial) => dial.getBoundingClientRect());
    const angle = ((hour + 0.5) * Math.PI) / 12 + Math.PI / 2;
    const x = width * (0.5 + 0.4 * Math.cos(angle));
    await clock.click({ position: { x, y: height * (0.5 + 0.4 * Math.sin(angle)) } });
  };
  const atHour = async (hour: number, words: RegExp) => {
    await openPage();
    await pointAt(hour);
    await expect(clock).toHaveAttribute('aria-valuetext', words);
  };
  const answers: Record<string, [taps: number, find: () => Promise<void>]> = {
    'Is it crowded now?': [0, () => expect(card).toContainText('2 dogs now')],
    'Where is my friend?': [0, () => expect(card).toContainText('Ruth is here')],
    'What about thorns?': [0, () => expect(card).toContainText(/awns/i)],
    'Is there water?': [2, () => fact(/Water for dogs\s*Yes/)],
    'Is there an area for small dogs?': [2, () => fact(/Small-dog area\s*Separate/)],
    'When is it quiet?': [2, () => fact(/usually (hardly any|about \d+) dogs?/)],
    'Who is coming at six?': [
      2,
      async () => {
        await page.getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('link', { name: 'Meetings' }).click();
        await expect(main).toContainText(/at 18:00.*Ruth invited you/);
      },
    ],
    'Where with a puppy at noon?': [
      3,
      async () => {
        await pointAt(12);
        await sheet.getByRole('button', { name: 'Close' }).click();
        await expect(page.getByRole('button', { name: '12:00, Back to now' })).toBeVisible();
        // Which park is first depends on tests that reserved other parks of the demo.
        await expect(cards.filter({ hasText: 'Fenced in' })).not.toHaveCount(0);
      },
    ],
    'Is it dark there at nine?': [4, () => atHour(21, /^21:00.*Lights: Yes/)],
    'How hot is the ground at two?': [4, () => atHour(14, /^14:00.*Ground: about \d+°/)],
  };
  const home = `/?lat=${park.lat}&long=${park.long}`;
  await page.goto(home);
  for (const [question, [most, find]] of Object.entries(answers)) {
    await navigateTo(page, home);
    const [before, start] = [await taps(), Date.now()];
    await find();
    expect.soft((await taps()) - before, question).toBe(most);
    info.annotations.push({ type: question, description: `${(Date.now() - start) / 1000} s` });
  }
});
