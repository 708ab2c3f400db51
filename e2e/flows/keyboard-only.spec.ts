// Every flow by keyboard only: these tests never click, fill or focus in any other way.
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import {
  addDog,
  befriend,
  pictureFile,
  reservePark,
  unfold,
  writeReview,
} from '../support/fixtures.ts';
import { chunkUrl } from '../support/app-versions.ts';
import { expect, test } from '../support/test.ts';
import { keyboardOf } from '../support/keyboard-driver.ts';
import { throughPopup } from '../support/popup.ts';

// Requests that the page sends after its account was deleted are rejected.
test.use({ allowedErrors: [/status of 40[013]/] });

test('signs up, changes settings, logs out and in, deletes the account', async ({ page, site }) => {
  const keys = keyboardOf(page);
  const email = `${randomUUID()}@example.test`;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto('/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();

  const login = page.getByRole('navigation').getByRole('link', { name: 'Log in' });
  // A slow device draws a frame, in which the hidden screen loses the focus, before the navigation ends and the texts arrive.
  await page.evaluate(() => {
    const blurHidden = () => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && !activeElement.checkVisibility())
        activeElement.blur();
    };
    new MutationObserver(blurHidden).observe(document.body, { attributes: true, subtree: true });
  });
  await page.route(chunkUrl('en.privacy'), async (route) => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
    await route.continue();
  });
  await keys.press(page.getByRole('main').getByRole('link', { name: 'privacy policy' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy policy' })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('main').getByRole('link', { name: 'privacy policy' })).toBeFocused();
  await keys.press(login);
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeFocused();
  await keys.press(page.getByRole('link', { name: 'Sign up' }));
  await keys.type(page.getByLabel('Your name'), 'Keyra Keys');
  await keys.type(page.getByLabel('Email'), email);
  await keys.type(page.getByLabel('Password', { exact: true }), 'a walk in the park');
  await keys.press(page.getByRole('checkbox'), 'Space');
  await keys.press(button('Join the pack'));
  await expect(page).toHaveURL(/\/profile\/[0-9a-f-]{36}\/dogs/);

  await keys.press(button('Skip'));
  const settings = page.getByRole('link', { name: 'Settings' });
  await keys.press(settings);
  await keys.press(page.getByRole('switch', { name: 'Hide me' }), 'Space');
  await expect(page.getByRole('switch', { name: 'Hide me' })).toBeChecked();
  const hidden = () =>
    site.sql`select hidden from public.users u join auth.users a using (id) where a.email = ${email}`;
  await expect.poll(hidden).toEqual([{ hidden: true }]);
  await keys.press(page.locator('summary', { hasText: 'Appearance' }));
  await keys.to(page.getByRole('radio', { name: 'Light', exact: true }));
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await keys.to(page.getByRole('radio', { name: 'English' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('radio', { name: 'עברית' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await keys.press(page.locator('summary', { hasText: 'Notifications' }));
  await keys.press(page.getByRole('switch', { name: 'Mute all' }), 'Space');
  await expect(page.getByRole('switch', { name: 'Friend requests' })).toBeDisabled();

  const more = page.getByRole('navigation').getByRole('button', { name: 'More', exact: true });
  await keys.press(more);
  await keys.press(button('Log out'));
  await expect(page).toHaveURL(/\/$/);
  await keys.press(page.getByRole('navigation').getByRole('link', { name: 'Log in' }));
  await keys.type(page.getByLabel('Email'), email);
  await keys.type(page.getByLabel('Password', { exact: true }), 'a walk in the park');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/profile\/[0-9a-f-]{36}\/dogs/);

  await keys.press(settings);
  const remove = button('Delete account');
  await keys.press(remove);
  await page.keyboard.press('Escape');
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  await keys.press(button('Delete for good'));
  await expect(page).toHaveURL('/user-deleted');
  expect(keys.findings).toEqual([]);
});

test('a park: favourites, shares, reports, reviews', async ({ site, pageFor }) => {
  const { id: parkId } = await reservePark(site);
  const [user, other] = [await site.user(), await site.user()];
  await other.client.rpc('accept_terms', { p_licence: true });
  await writeReview(other, parkId, 'Buy balls here', 1);
  const page = await pageFor(user);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write', 'geolocation']);
  const keys = keyboardOf(page);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  await page.goto(`/parks/${parkId}/`);
  await keys.press(button('Add to favourites'));
  await expect(button('Remove from favourites')).toBeFocused();
  await keys.press(button('Share this park'));
  await keys.press(button('Copy link'));
  await expect(page.getByText('Link copied')).toBeVisible();

  await keys.press(button('Report a condition'));
  await keys.press(button('Agree'));
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Muddy' }));
  await expect(button('Fixed: Muddy')).toBeVisible();
  // The button is visible before the sheet above it has closed, so wait until it has.
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await keys.press(page.getByRole('link', { name: 'Reviews' }));
  await expect(page.getByRole('link', { name: 'Reviews' })).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: /Reviews – / })).toBeAttached();
  await keys.press(button('Write a review'));
  const sheet = page.getByRole('dialog', { name: 'Write a review' });
  await keys.to(sheet.getByRole('radio').first());
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await keys.type(sheet.getByLabel('Title'), 'Keys only');
  await keys.press(sheet.getByRole('switch', { name: 'Show my name' }), 'Space');
  await throughPopup(page, 'Thanks for sharing!', () =>
    keys.press(sheet.getByRole('button', { name: 'Post review' })),
  );
  await expect(sheet).toHaveCount(0);
  await expect(page.locator(':focus')).toHaveText('Edit your review');

  const spam = page.getByRole('article').filter({ hasText: 'Buy balls here' });
  const options = spam.getByRole('button', { name: 'Review options' });
  await keys.press(options);
  await expect(page.getByRole('menuitem', { name: 'Report' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(options).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Report' })).toBeFocused();
  await page.keyboard.press('Enter');
  await keys.press(page.getByRole('radio', { name: 'Spam' }), 'Space');
  await keys.press(button('Send report'));
  await expect(page.getByText('Thank you. We will look at it.')).toBeVisible();
  await expect(options).toBeFocused();

  await expect
    .poll(
      () => site.sql`select rank, title, anonymous from public.reviews where author = ${user.id}`,
    )
    .toEqual([{ rank: 3, title: 'Keys only', anonymous: false }]);
  expect(keys.findings).toEqual([]);
});

test('from home to a park, checks in and out, and invites, with announcements at each step', async ({
  site,
  pageFor,
}) => {
  const park = await reservePark(site);
  const [user, friend] = [await site.user(), await site.user()];
  await befriend(user, friend);
  const page = await pageFor(user);
  const keys = keyboardOf(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  // Extends the 10-second timeout, because the undo button would disappear before the keyboard reaches it.
  await page.addInitScript(() => {
    const later = setTimeout;
    const patient = (task: () => void, ms = 0) => later(task, ms === 10_000 ? 1e8 : ms);
    Object.assign(window, { setTimeout: patient });
  });
  await page.goto(`/?lat=${park.lat}&long=${park.long}`);
  const chips = page.getByRole('group', { name: 'Filters' });
  const grass = chips.getByRole('button', { name: 'Grass' });
  // The chips are one tab stop, so the cards are only a few Tab presses away. Arrow keys move between the chips.
  await keys.to(page.getByRole('button', { name: 'Filters', exact: true }));
  await expect(async () => {
    await page.keyboard.press('ArrowRight');
    await expect(grass).toBeFocused({ timeout: 100 });
  }).toPass();
  await keys.press(grass, 'Space');
  await keys.announces(/\d+ parks/);
  await keys.press(grass, 'Space');
  const cards = page.getByRole('list', { name: 'Parks around' });
  await keys.press(cards.getByRole('button', { name: park.name }));
  await keys.focuses(`region ${park.name}`);
  await keys.press(button('On my way'));
  await keys.focuses('heading On my way');
  await keys.press(button('I’m on my way'));
  await keys.announces(`On your way to ${park.name}`);
  await keys.focuses('button On my way');
  await keys.press(button('Invite friends'));
  await keys.focuses('heading Invite friends');
  await keys.press(page.getByRole('checkbox', { name: friend.name }), 'Space');
  await keys.press(button(`Invite ${friend.name}`));
  await keys.announces('Invite sent');
  await keys.focuses('button Invite friends');
  await keys.press(page.getByRole('link', { name: 'Details' }));
  await keys.focuses(`heading ${park.name}`);
  await keys.press(button('I’m not coming'));
  await keys.announces('You’re no longer on the way');
  await keys.focuses(`heading ${park.name}`);
  const checkIn = async () => {
    await keys.press(button('Check in here'));
    await keys.focuses('heading Check in');
    await keys.press(button('One more'), 'Space');
    await keys.press(dialog.getByRole('button', { name: 'Check in', exact: true }));
    await keys.announces('You’re here. Have fun!');
    await keys.focuses('button Stay 30 minutes longer');
  };
  await checkIn();
  await keys.press(
    page
      .getByRole('region', { name: 'You are here' })
      .getByRole('button', { name: 'Undo check-in' }),
  );
  await keys.announces('Your check-in is undone');
  await keys.focuses(`heading ${park.name}`);
  await checkIn();
  await keys.press(button('Check out'));
  await keys.focuses('heading See you soon!');
  await keys.press(dialog.getByRole('button', { name: 'Skip' }));
  await keys.focuses(`heading ${park.name}`);
  await keys.press(page.getByRole('link', { name: 'Visitors' }));
  await keys.announces(`Visitors – ${park.name}`);
  await keys.focuses('link Visitors');
  await keys.press(button('Invite friends'));
  await keys.focuses('heading Invite friends');
  await keys.press(page.getByRole('checkbox', { name: friend.name }), 'Space');
  await keys.press(button(`Invite ${friend.name}`));
  await keys.announces('Invite sent');
  await keys.focuses('button Invite friends');
  expect(keys.findings).toEqual([]);
});

test('a dog: added in steps, photographed and cropped, edited, removed', async ({
  site,
  pageFor,
}) => {
  const me = await site.user();
  const page = await pageFor(me);
  const keys = keyboardOf(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto(`/profile/${me.id}/dogs`);
  await keys.press(button('Add a dog'));
  await keys.press(button('Next'));
  // Focus moves to the first invalid field.
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Tabby');
  await keys.press(button('Next'));
  // A new step puts focus at its start.
  await expect(page.getByText('Step 2 of 2')).toBeFocused();
  await keys.type(page.getByRole('combobox', { name: 'Breed' }), 'canaan');
  await expect(page.getByRole('option', { name: 'Canaan Dog' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Breed' })).toHaveValue('Canaan Dog');
  await keys.press(page.getByRole('radio', { name: 'Male', exact: true }), 'ArrowDown');
  await expect(page.getByRole('radio', { name: 'Female' })).toBeChecked();
  await keys.type(page.getByLabel('Month'), 'May');
  await keys.type(page.getByLabel('Year'), '2022');
  await keys.press(button('Save'));
  await expect(page.getByRole('heading', { name: 'Tabby' })).toBeVisible();

  await keys.press(button('Add a photo'));
  const chooser = page.waitForEvent('filechooser');
  await keys.press(button('Choose from this device'));
  await (await chooser).setFiles(await pictureFile());
  const frame = page.getByRole('group', { name: /Drag the picture/ });
  await expect(frame).toBeFocused();
  for (let times = 0; times < 20; times += 1) await page.keyboard.press('ArrowUp');
  await keys.to(page.getByRole('slider', { name: 'Zoom' }));
  await page.keyboard.press('End');
  await keys.press(button('Use this photo'));
  const photo = page.getByRole('img', { name: 'Photo of Tabby' });
  await expect(photo).toBeVisible();
  await expect(button('Add a photo')).toBeFocused();
  // At the maximum zoom, the cropped image is a quarter of 900 pixels wide and three quarters of that high.
  const stored = () =>
    site.sql<{ name: string }>(
      `select name from storage.objects where bucket_id = 'users' and name like $1`,
      [`${me.id}/%`],
    );
  await expect.poll(stored).toHaveLength(1);
  const [row] = await stored();
  const { data: file } = await me.client.storage.from('users').download(row?.name ?? '');
  const { width, height } = await sharp(await file?.arrayBuffer()).metadata();
  expect([width, height]).toEqual([225, 169]);

  const edit = button('Edit');
  await keys.press(edit);
  await keys.type(page.getByLabel('Name'), 'Tabea');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Tabea' })).toBeVisible();
  await expect(edit).toBeFocused();
  await keys.press(button('Remove'));
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }));
  await expect(page.getByText('No dogs yet.')).toBeVisible();
  expect(keys.findings).toEqual([]);
});

test('a photo of a visit: for friends of a chosen dog after the age is confirmed, removed, and another for the park', async ({
  site,
  pageFor,
}) => {
  const [park, me] = [await reservePark(site), await site.user()];
  const dogs = [await addDog(me, 'Luna'), await addDog(me, 'Max')];
  await me.client.rpc('check_in', { p_park_id: park.id, p_dog_ids: dogs });
  await site.sql`update private.user_consents set age_confirmed_at = null where user_id = ${me.id}`;
  const page = await pageFor(me);
  const keys = keyboardOf(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto(`/parks/${park.id}/`);
  await keys.press(button('Check out'));
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Skip' }));
  await keys.press(page.getByRole('radio', { name: 'Luna' }), 'ArrowRight');
  await expect(page.getByRole('region', { name: 'A photo of your visit' })).toContainText(
    'on Max’s page',
  );
  const chooser = page.waitForEvent('filechooser');
  await keys.press(button('For friends'));
  await (await chooser).setFiles(await pictureFile());
  await keys.press(page.getByRole('checkbox', { name: /I am 13/ }), 'Space');
  await keys.press(button('Confirm'));
  await keys.announces('Your friends see it on Max’s page');
  await keys.focuses(`heading ${park.name}`);
  await me.client.rpc('accept_terms', { p_licence: true });
  await me.client.rpc('check_in', { p_park_id: park.id, p_dog_ids: dogs });
  await page.reload();
  await keys.press(button('Check out'));
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Skip' }));
  const another = page.waitForEvent('filechooser');
  await keys.press(button('For the park'));
  await (await another).setFiles(await pictureFile());
  await keys.announces('A moderator will check the photo');
  await expect
    .poll(() => site.sql`select from private.desk_photos where park_id = ${park.id}`)
    .toHaveLength(1);
  await page.goto(`/profile/${me.id}/dogs/${dogs[1]}`);
  const photos = page.getByRole('region', { name: 'Photos of visits' });
  await expect(photos.getByRole('img', { name: 'Photo of Max' })).toBeVisible();
  await keys.press(page.getByRole('switch', { name: 'Show park and day' }), 'Space');
  await expect(photos).toContainText(park.name);
  await keys.press(page.getByRole('switch', { name: 'Keep this photo' }), 'Space');
  const settings = () =>
    site.sql`select shows_visit, is_kept from private.visit_photos where author = ${me.id}`;
  await expect.poll(settings).toEqual([{ shows_visit: true, is_kept: true }]);
  await keys.press(photos.getByRole('button', { name: 'Remove' }));
  await expect(photos).toHaveCount(0);
  await keys.focuses('link Pack diary');
  await expect.poll(settings).toEqual([]);
  expect(keys.findings).toEqual([]);
});

test('users: searched, requested, accepted, reported, blocked', async ({ site, pageFor }) => {
  const token = randomUUID().slice(0, 8);
  const ann = await site.user(`Ann ${token}`);
  const ben = await site.user(`Ben ${token}`);
  const cat = await site.user(`Cat ${token}`);
  await cat.client.rpc('send_friend_request', { p_user_id: ben.id });
  const anns = await pageFor(ann);
  const annsKeys = keyboardOf(anns);
  await anns.goto('/users');
  await annsKeys.type(anns.getByRole('searchbox'), `Ben ${token}`);
  await annsKeys.press(anns.getByRole('link', { name: ben.name }));
  await annsKeys.press(anns.getByRole('button', { name: 'Add friend' }));
  await expect(anns.getByRole('button', { name: 'Remove request' })).toBeFocused();

  const bens = await pageFor(ben);
  const keys = keyboardOf(bens);
  await bens.goto('/notifications');
  const fromAnn = bens.getByRole('listitem').filter({ hasText: ann.name });
  await keys.press(fromAnn.getByRole('button', { name: 'Accept' }));
  await expect(fromAnn.getByText('Accepted')).toBeVisible();
  const fromCat = bens.getByRole('listitem').filter({ hasText: cat.name });
  await expect(fromCat.getByRole('button').first()).toBeFocused();
  await keys.press(fromCat.getByRole('button', { name: 'Decline' }));
  await expect(fromCat.getByText('Declined')).toBeVisible();
  await expect(bens.getByRole('heading', { name: '1 new notification' })).toBeFocused();
  await expect(bens.getByRole('status').filter({ hasText: 'Declined' })).toBeAttached();
  const settings = bens.getByRole('button', { name: 'Notification settings' });
  await keys.press(settings);
  await keys.press(bens.getByRole('switch', { name: 'Invitations to a park' }), 'Space');
  await bens.keyboard.press('Escape');
  await expect(settings).toBeFocused();

  await keys.press(fromCat.getByRole('button').first());
  const more = bens.getByRole('button', { name: `More about ${cat.name}` });
  await keys.press(more);
  await bens.keyboard.press('Escape');
  await expect(more).toBeFocused();
  await bens.keyboard.press('Enter');
  await expect(bens.getByRole('menuitem', { name: 'Report' })).toBeFocused();
  await bens.keyboard.press('Enter');
  await keys.press(bens.getByRole('radio', { name: 'Spam' }), 'Space');
  await keys.press(bens.getByRole('button', { name: 'Send report' }));
  await expect(bens.getByText('Thank you. We will look at it.')).toBeVisible();
  await expect(more).toBeFocused();
  await bens.keyboard.press('Enter');
  await bens.keyboard.press('ArrowDown');
  await expect(bens.getByRole('menuitem', { name: 'Block' })).toBeFocused();
  await bens.keyboard.press('Enter');
  await keys.press(bens.getByRole('alertdialog').getByRole('button', { name: 'Block' }));
  await expect(bens).toHaveURL(/\/users/);
  await expect
    .poll(async () => (await ben.client.rpc('my_blocks')).data)
    .toMatchObject([{ user_id: cat.id }]);
  await ben.client.rpc('block_user', { p_user_id: ann.id });
  await bens.goto(`/profile/${ben.id}/settings`);
  await unfold(bens);
  const unblock = bens.getByRole('button', { name: 'Unblock' });
  await expect(unblock).toHaveCount(2);
  await keys.press(unblock.first());
  await expect(unblock).toHaveCount(1);
  await keys.focuses(`button Unblock: ${cat.name}`);
  await bens.keyboard.press('Enter');
  await expect(bens.getByRole('heading', { name: 'Blocked people' })).toBeFocused();
  await expect(bens.getByRole('status').filter({ hasText: 'no longer blocked' })).toBeAttached();
  expect([...annsKeys.findings, ...keys.findings]).toEqual([]);
});

test('a new park: its position, details and thank-you', async ({ site, pageFor }) => {
  const user = await site.user();
  await user.client.rpc('accept_terms', { p_licence: true });
  const page = await pageFor(user);
  const keys = keyboardOf(page);
  // Without animation, so the map has moved before the next key.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/parks/new');
  const place = page.getByRole('combobox', { name: 'Search for an address' });
  await expect(place).toBeVisible();
  await keys.press(page.getByRole('button', { name: 'Send the park' }));
  await expect(place).toBeFocused();
  await expect(place).toHaveAttribute('aria-invalid', 'true');
  await expect(place).toHaveAccessibleDescription('Please fill in the missing details');
  // Correcting a field keeps focus in it, even if other fields are invalid.
  await keys.type(page.getByLabel('City'), 'Haifa');
  await expect(page.getByLabel('City')).toHaveValue('Haifa');
  await keys.press(page.locator('.leaflet-container'), 'ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The pin is set.')).toBeAttached();
  await keys.type(page.getByLabel('Address', { exact: true }), 'Keys 9');
  await keys.press(page.getByRole('button', { name: 'Send the park' }));
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  const [sent] = await site.sql<{ long: number }>`
    select long from public.parks join public.park_translations on park_id = id where address = 'Keys 9'`;
  // An arrow key moves the map by 80 pixels.
  expect(sent?.long).toBeCloseTo(34.809212 + (80 * 360) / (256 * 2 ** 16), 4);
  await keys.press(page.getByRole('link', { name: 'To the parks' }));
  await expect(page).toHaveURL(/\/parks$/);
  // The decision is shown on the author's own page.
  await page.goto(`/profile/${user.id}/dogs`);
  await keys.press(page.getByRole('link', { name: 'Info' }));
  const added = page.getByRole('listitem').filter({ hasText: 'New park' });
  await expect(added).toContainText('Keys 9');
  await expect(added).toContainText('Being checked');
  expect(keys.findings).toEqual([]);
});
