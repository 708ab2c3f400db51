// Nothing typed is lost, Back closes overlays, and a login continues with the pending intent.
import { randomUUID } from 'node:crypto';
import type { Page, Route } from '@playwright/test';
import {
  acceptTerms,
  addDog,
  contributePhoto,
  makeRegulars,
  pictureFile,
  reservePark,
} from '../support/fixtures.ts';
import { fillLogin, logIn, mailTo, pressLink } from '../support/login-driver.ts';
import { expect, type TestUser, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

// Chromium logs rejected requests.
test.use({ allowedErrors: [/status of 40[013]/] });

const he = texts('he');

const title = (page: Page) => page.getByRole('dialog').getByLabel(he('reviews.form.title'));

/** Logs in through the sheet that requires a login. The action that required it is open afterwards. */
async function passGate(page: Page, user: TestUser): Promise<void> {
  await page.getByRole('dialog').getByRole('link', { name: 'Log in' }).click();
  await expect(page).toHaveURL('/login?mode=login');
  await logIn(page, user);
}

test('a typed review survives everything except the logout', async ({ site, pageFor }) => {
  const { id } = await reservePark(site);
  const user = await site.user();
  const page = await pageFor(user, { language: 'he' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/parks/${id}/reviews`);
  const write = page.getByRole('button', { name: he('reviews.form.newTitle') });
  await write.click();
  await title(page).fill('צל וברזייה');

  // On the first page of a visit, Back closes the sheet and stays.
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(`/parks/${id}/reviews`);
  await write.click();
  await expect(title(page)).toHaveValue('צל וברזייה');
  await expect(page.getByText(he('drafts.kept'))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  // An open sheet reopens after a reload, without the browser's leave prompt.
  await write.click();
  await page.reload();
  await expect(title(page)).toHaveValue('צל וברזייה');
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page
    .getByRole('link', { name: he('shell.navbar.home') })
    .first()
    .click();
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await write.click();
  await expect(title(page)).toHaveValue('צל וברזייה');

  // A second tab shows the same draft. Logging out clears it.
  const tab = await page.context().newPage();
  await tab.goto(`${site.url}/parks/${id}/reviews`);
  await tab.getByRole('button', { name: he('reviews.form.newTitle') }).click();
  await expect(title(tab)).toHaveValue('צל וברזייה');
  await tab.close();

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: he('shell.navbar.more') }).click();
  await page.getByRole('button', { name: he('shell.more.logout') }).click();
  await expect(page.getByText(he('session.loggedOut'))).toBeVisible();
  const left = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')));
  await expect.poll(left).toEqual([]);
});

test('a typed park survives navigation and can be started over', async ({ site, pageFor }) => {
  const user = await site.user();
  await acceptTerms(user);
  const page = await pageFor(user, { at: '/parks/new' });
  const address = page.getByLabel('Address', { exact: true });
  const photo = page.getByRole('img', { name: 'Photo' });
  const choose = async () => {
    await page
      .getByRole('main')
      .locator('input[type=file]')
      .setInputFiles(await pictureFile());
    await expect(photo).toBeVisible();
  };
  const confirmsLeaving = () =>
    page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await address.fill('Herzl 12');
  await choose();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(address).not.toBeAttached();
  // The browser prompts only for unsaved input on the current screen.
  await expect.poll(confirmsLeaving).toBe(false);
  await page.goBack();
  await expect(address).toHaveValue('Herzl 12');
  await expect(photo).toBeVisible();
  await expect.poll(confirmsLeaving).toBe(true);
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(address).toHaveValue('');
  await expect(photo).toBeHidden();
  await page.reload();
  await expect(address).toHaveValue('');

  // A photo alone is restored as well.
  await choose();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(address).not.toBeAttached();
  await page.goBack();
  await expect(photo).toBeVisible();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(photo).toBeHidden();
  await choose();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await logIn(page, user);
  await expect(address).toBeVisible();
  await expect(photo).toBeHidden();

  // The browser prompts before leaving until the photo is uploaded.
  const upload = new Promise<Route>((resolve) => {
    void page.route('**/storage/v1/object/pending-photos/**', resolve, { times: 1 });
  });
  await choose();
  await page.getByRole('button', { name: 'My location' }).click();
  await expect(page.getByText('The pin is set.')).toBeAttached();
  await page.getByLabel('City').fill('Haifa');
  await address.fill('Herzl 14');
  await page.getByRole('button', { name: 'Send the park' }).click();
  const held = await upload;
  await expect.poll(confirmsLeaving).toBe(true);
  await held.continue();
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  await expect.poll(confirmsLeaving).toBe(false);
});

test('a chosen photo survives a killed tab, for a week or until the logout', async ({
  site,
  pageFor,
}) => {
  const user = await site.user();
  const page = await pageFor(user, { at: `/profile/${user.id}/dogs` });
  const frame = (tab: Page) => tab.getByRole('group', { name: /Drag the picture/ });
  const stored = (tab: Page, age = 0) =>
    tab.evaluate(
      (days) =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open('packpark-draft-photos');
          opening.onerror = () => reject(opening.error ?? new Error('There is no such store'));
          opening.onsuccess = () => {
            const photos = opening.result.transaction('photos', 'readwrite').objectStore('photos');
            let count = 0;
            photos.openCursor().onsuccess = ({ target }) => {
              const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
              if (!cursor) return resolve(count);
              count += 1;
              const { until } = cursor.value as { until: number };
              cursor.update({ ...cursor.value, until: until - days * 86_400_000 });
              cursor.continue();
            };
          };
        }),
      age,
    );
  const open = async () => {
    const tab = await page.context().newPage();
    await tab.goto(`${site.url}/profile/${user.id}/dogs`);
    await tab.getByRole('button', { name: 'Add a dog' }).click();
    return tab;
  };
  await page.getByRole('button', { name: 'Add a dog' }).click();
  await page
    .getByRole('dialog')
    .locator('input[type=file]:not([capture])')
    .setInputFiles(await pictureFile());
  await expect(frame(page)).toBeVisible();
  await expect.poll(() => stored(page)).toBe(1);

  const again = await open();
  await expect(frame(again)).toBeVisible();
  await expect(again.getByText('What you wrote is still here.')).toBeVisible();
  await again.getByRole('button', { name: 'Start over' }).click();
  await expect.poll(() => stored(again)).toBe(0);
  await again
    .getByRole('dialog')
    .locator('input[type=file]:not([capture])')
    .setInputFiles(await pictureFile());
  await expect.poll(() => stored(again)).toBe(1);

  await stored(again, 6);
  const later = await open();
  await expect(frame(later)).toBeVisible();
  await stored(later, 2);
  const late = await open();
  await expect.poll(() => stored(late)).toBe(0);
  await expect(frame(late)).toBeHidden();

  await late
    .getByRole('dialog')
    .locator('input[type=file]:not([capture])')
    .setInputFiles(await pictureFile());
  await expect.poll(() => stored(late)).toBe(1);
  await late.keyboard.press('Escape');
  await late.getByRole('button', { name: 'More', exact: true }).click();
  await late.getByRole('button', { name: 'Log out' }).click();
  await expect(late.getByText('You are logged out.')).toBeVisible();
  await expect.poll(() => stored(late)).toBe(0);
});

test('logging in after a lost session leads back to what was typed', async ({ site, pageFor }) => {
  const { id } = await reservePark(site);
  const user = await site.user();
  const page = await pageFor(user, { at: `/parks/${id}/reviews` });
  await page.getByRole('button', { name: 'Write a review' }).click();
  await page.getByLabel('Title').fill('Half a thought');
  // Simulates the client removing a session that can no longer be refreshed.
  await page.evaluate(() => {
    localStorage.removeItem('packpark-session');
    new BroadcastChannel('packpark-session').postMessage({ event: 'SIGNED_OUT', session: null });
  });
  await expect(page.getByText('You have been logged out. Please log in again.')).toBeVisible();
  await page.getByRole('link', { name: 'Log in' }).first().click();
  await logIn(page, user);
  await expect(page.getByLabel('Title')).toHaveValue('Half a thought');
  await expect(page).toHaveURL(`/parks/${id}/reviews`);
});

test('a report, a favourite, a photo and its report are open after the login, and only the favourite is done', async ({
  site,
  page,
}) => {
  const { id } = await reservePark(site);
  const [user, contributor] = [await site.user(), await site.user()];
  await acceptTerms(contributor);
  await site.sql`select public.desk_decide('photo', ${await contributePhoto(contributor, id)}, true)`;
  const cameBack = () => expect(page).toHaveURL(new RegExp(`/parks/${id}/?$`));
  const logOut = () => page.evaluate(() => localStorage.removeItem('packpark-session'));
  await page.goto(`/parks/${id}`);
  await page.getByRole('button', { name: 'Report a condition' }).click();
  await passGate(page, user);
  // The user must accept the rules before the first report.
  await page.getByRole('button', { name: 'Agree' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Muddy' })).toBeVisible();
  expect(await site.sql('select from private.live_reports where park_id = $1', [id])).toEqual([]);
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await cameBack();

  await logOut();
  await page.goto(`/parks/${id}/`);
  await page.getByRole('button', { name: 'Add to favourites' }).click();
  await passGate(page, user);
  await cameBack();
  await expect(page.getByRole('button', { name: 'Remove from favourites' })).toBeVisible();
  await expect
    .poll(async () => (await user.client.from('favourite_parks').select('park_id')).data)
    .toEqual([{ park_id: id }]);

  await logOut();
  await page.goto(`/parks/${id}/`);
  await page.getByRole('button', { name: 'Add a photo' }).click();
  await passGate(page, user);
  await cameBack();
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('dialog').getByRole('button', { name: 'Add a photo' }).click();
  await chosen;

  await logOut();
  await page.goto(`/parks/${id}/`);
  await page.getByRole('button', { name: 'Enlarge photo 1 of 1' }).click();
  await page.getByRole('button', { name: 'Report this photo' }).click();
  await passGate(page, user);
  await cameBack();
  await expect(page.getByRole('dialog', { name: 'Report this photo' })).toBeVisible();
});

test('logging in to join or start a weekly meeting continues with it', async ({ site, page }) => {
  const [{ id }, user] = [await reservePark(site), await site.user()];
  const regulars = [await site.user(), await site.user(), await site.user()];
  await makeRegulars(site, id, ...regulars);
  await site.sql`with made as (insert into private.pack_times (park_id, weekday, starts) values (${id}, 2, '18:00') returning id)
     insert into private.pack_time_members (pack_time_id, user_id)
     select made.id, member from made, unnest(${regulars.map((one) => one.id)}::uuid[]) member`;
  const members = () =>
    site.sql('select from private.pack_time_members where user_id = $1', [user.id]);
  const pack = page.getByRole('region', { name: 'Weekly meetings' });
  await page.goto(`/parks/${id}/visitors`);
  await pack.getByRole('button', { name: 'Come along' }).click();
  await passGate(page, user);
  const asked = page.getByRole('dialog', { name: 'Tuesdays 18:00' });
  await expect(asked).toBeVisible();
  expect(await members()).toEqual([]);
  await asked.getByRole('button', { name: 'Come along' }).click();
  await expect.poll(members).toHaveLength(1);

  await page.evaluate(() => localStorage.removeItem('packpark-session'));
  await page.goto(`/parks/${id}/visitors`);
  await pack.getByRole('button', { name: 'Start a weekly meeting' }).click();
  await passGate(page, user);
  await page.getByRole('dialog').getByLabel('Time').fill('19:15');
  await page.keyboard.press('Escape');
  await pack.getByRole('button', { name: 'Start a weekly meeting' }).click();
  await expect(page.getByRole('dialog').getByLabel('Time')).toHaveValue('19:15');
});

test('logging in to report a sighting of a lost dog continues with it', async ({ site, page }) => {
  const [ann, ben] = [await site.user(), await site.user()];
  await acceptTerms(ann);
  const dog = await addDog(ann, 'Rexina');
  await ann.client.rpc('report_lost_dog', { p_dog_id: dog, p_lat: 32.1, p_long: 34.81 });
  await site.sql`update private.lost_dogs set approved_at = now() where dog_id = ${dog}`;
  const { data: cards } = await ben.client.rpc('lost_dogs');
  // Visitors get data that is up to a minute old.
  await page.route('**/rpc/lost_dogs?*', (route) => route.fulfill({ json: cards }));
  await page.goto('/');
  await page.getByRole('button', { name: 'Rexina is lost' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'I saw it' }).click();
  await passGate(page, ben);
  const where = page.getByRole('dialog', { name: 'Where did you see Rexina?' });
  await where.getByRole('button', { name: 'My location' }).click();
  await expect(where).toContainText('The pin is set.');
  await page.reload();
  await expect(where).toContainText('What you wrote is still here.');
  await ann.client.rpc('found_dog', { p_dog_id: dog });
});

test('the link of the mail continues with the pending intent', async ({ site, page }) => {
  const { id } = await reservePark(site);
  const email = `${randomUUID()}@example.test`;
  await page.goto(`/parks/${id}/reviews`);
  await page.getByRole('button', { name: 'Write a review' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Sign up' }).click();
  await expect(page).toHaveURL('/login?mode=signup');
  // On a host that requires email confirmation, the new user has an account but is not logged in yet.
  const { client } = await site.user();
  await client.auth.signOut();
  await client.auth.signUp({ email, password: 'a walk in the park' });
  await site.sql('update auth.users set email_confirmed_at = null where email = $1', [email]);
  await fillLogin(page, email, 'a walk in the park');
  await page.goto('/login');
  await logIn(page, { email, password: 'a walk in the park' });
  await page.getByRole('button', { name: 'Send the email again' }).click();
  const { link } = await mailTo(site, email);
  const tab = await page.context().newPage();
  await page.close();
  await pressLink(tab, link);
  await tab.getByRole('button', { name: 'Continue where you left off' }).click();
  await expect(tab.getByLabel('Title')).toBeVisible();
  await expect(tab).toHaveURL(`/parks/${id}/reviews`);
});
