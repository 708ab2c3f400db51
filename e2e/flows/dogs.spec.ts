// A user's dogs: added in steps with validation messages, photographed, edited and removed.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { addDog, pictureFile, reservePark } from '../support/fixtures.ts';
import { failThenSend } from '../support/failing-server.ts';
import { throughPopup } from '../support/popup.ts';
import { expect, test } from '../support/test.ts';

// The test breaks photos and loses responses.
test.use({ allowedErrors: [/Failed to load resource|errors\.unexpected/] });

const choosePicture = async (page: Page, ...file: Parameters<typeof pictureFile>) =>
  page.locator('input[type=file]:not([capture])').setInputFiles(await pictureFile(...file));

test('a dog is added step by step, once, and nothing typed is lost', async ({ site, pageFor }) => {
  const me = await site.user();
  const page = await pageFor(me, { at: `/profile/${me.id}` });
  await expect(page).toHaveURL(`/profile/${me.id}/dogs`);
  await page.getByRole('button', { name: 'Add a dog' }).click();

  const next = page.getByRole('button', { name: 'Next' });
  await next.click();
  await expect(page.getByText('Please enter a name')).toBeVisible();
  await page.getByLabel('Name').fill('Bamba');
  await choosePicture(page);
  await expect(page.getByRole('group', { name: /Drag the picture/ })).toBeVisible();
  await expectAccessible(page);
  // The first click of a double click opens the next step. The second one does not press the button there.
  await next.dblclick();
  const save = page.getByRole('button', { name: 'Save' });
  await expect(page.getByText('Please choose a breed')).toBeHidden();
  await save.click();
  await expect(page.getByText('Please choose a breed')).toBeVisible();
  await expect(page.getByText('Please choose a gender')).toBeVisible();
  // A fully typed name needs no selection from the list.
  await page.getByRole('combobox', { name: 'Breed' }).fill('mixed');
  await expect(page.getByRole('option', { name: 'Mixed' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('combobox', { name: 'Breed' })).toHaveValue('Mixed');
  await page.getByRole('combobox', { name: 'Breed' }).fill('canaan');
  await page.getByRole('option', { name: 'Canaan Dog' }).click();
  await page.getByText('Female').click();
  await page.getByLabel('Month').selectOption('May');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Bamba');
  await next.click();
  await save.click();
  await expect(page.getByRole('group', { name: 'Birthday' })).toHaveAccessibleDescription(
    'Please enter a birthday',
  );
  const year = page.getByLabel('Year');
  await year.selectOption('2022');
  await throughPopup(page, 'Good boy!', () =>
    failThenSend(page, {
      request: '**/rest/v1/dogs*',
      send: save,
      unchanged: async () => {
        await expect(year).toHaveValue('2022');
        await year.selectOption('2021');
      },
      arrives: true,
    }),
  );

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bamba');
  await expect(page.getByRole('img', { name: 'Photo of Bamba' })).toBeVisible();
  const { data } = await me.client
    .from('dogs')
    .select('name,breed,gender,birthday,birthday_by_month')
    .eq('owner', me.id);
  expect(data).toEqual([
    {
      name: 'Bamba',
      breed: 'canaan_dog',
      gender: 'FEMALE',
      birthday: '2021-05-01',
      birthday_by_month: true,
    },
  ]);

  await page.getByRole('button', { name: 'Edit' }).click();
  const name = page.getByLabel('Name');
  await name.fill('');
  await save.click();
  await expect(name).toHaveAccessibleDescription('Please enter a name');
  await expect(name).toBeFocused();
  await expect(year).toHaveValue('2021');
});

test('the first photo is the primary one until another is chosen', async ({ site, pageFor }) => {
  const me = await site.user();
  const dogId = await addDog(me, 'Pita');
  const page = await pageFor(me);
  // Without realtime, this device learns of other devices' changes only when it fetches.
  await page.routeWebSocket('**/realtime/**', () => {});
  await page.goto(`/profile/${me.id}/dogs/${dogId}`);

  // If the server rejects the photo as too large, the page shows an error, and the cropped image can be sent again.
  await page.route('**/storage/v1/object/users/**', (route) =>
    route.fulfill({ status: 413, json: { statusCode: '413', message: 'too large' } }),
  );
  const use = page.getByRole('button', { name: 'Use this photo' });
  await page.getByRole('button', { name: 'Add a photo' }).click();
  await choosePicture(page, '0.jpg');
  await use.click();
  await expect(page.getByText('Upload failed: The image is too large')).toBeVisible();
  await expect(use).toBeEnabled();
  await page.unroute('**/storage/v1/object/users/**');
  await page.keyboard.press('Escape');
  const leave = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await expect.poll(() => page.evaluate(leave)).toBe(true);
  const add = page.getByRole('button', { name: 'Add a photo' });
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(add).not.toBeAttached();
  await page.goBack();
  await add.click();
  await expect(use).toBeVisible();
  await page.keyboard.press('Escape');

  for (const [index, colour] of ['#1d7a4f', '#c8412b'].entries()) {
    await add.click();
    await choosePicture(page, 'כלב 1.jpg', colour);
    await use.click();
    await expect(page.getByRole('img', { name: 'Photo of Pita' })).toHaveCount(index + 1);
  }
  const paths = async () =>
    (
      await site.sql<{ name: string }>(
        `select name from storage.objects where bucket_id = 'users' and name like $1 order by name`,
        [`${me.id}/%`],
      )
    ).map(({ name }) => name.replace(`${me.id}/dogs/${dogId}/`, ''));
  await expect
    .poll(paths)
    .toEqual([
      expect.stringMatching(/^other\/1-.+\.webp$/),
      expect.stringMatching(/^primary\/primary-1-.+\.webp$/),
    ]);
  const before = await paths();

  await page.getByRole('button', { name: 'Make this the main photo' }).click();
  await expect.poll(async () => (await paths())[1]).not.toBe(before[1]);
  await expect
    .poll(paths)
    .toEqual([
      expect.stringMatching(/^other\/1-.+\.webp$/),
      expect.stringMatching(/^primary\/primary-1-.+\.webp$/),
    ]);

  // The main photo, which is also the owner's avatar, can be replaced or removed without changing the other photos.
  const [, main] = await paths();
  await page.getByRole('button', { name: 'Replace the main photo' }).click();
  await choosePicture(page, '2.jpg', '#3b7ea1');
  await use.click();
  await expect
    .poll(paths)
    .toEqual([expect.stringMatching(/^other/), expect.stringMatching(/^primary\/primary-2-/)]);
  expect((await paths())[1]).not.toBe(main);
  const header = page.locator('header');
  await page.goto(`/profile/${me.id}`);
  await expect(header.locator('img')).toHaveAttribute('src', /primary-2-/);
  await page.goto(`/profile/${me.id}/dogs/${dogId}`);
  // Wait for the new photo, because the page first shows cached data, which may be older.
  const shown = page.getByRole('img', { name: 'Photo of Pita' });
  await expect(shown.first()).toHaveAttribute('src', /primary-2-/);
  const removeMain = async () => {
    await page.getByRole('button', { name: 'Remove the main photo' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Remove the main photo' })
      .click();
  };
  // A main photo that another device has replaced in the meantime is not removed, and the user sees a message.
  const folder = `${me.id}/dogs/${dogId}/primary`;
  const [, replaced = ''] = await paths();
  const files = me.client.storage.from('users');
  await files.move(
    `${folder}/${replaced.slice('primary/'.length)}`,
    `${folder}/primary-3-${randomUUID()}.webp`,
  );
  await removeMain();
  await expect(page.getByRole('alert')).toContainText('Sorry, something went wrong');
  await expect(shown.first()).toHaveAttribute('src', /primary-3-/);
  await expect(page.getByRole('button', { name: 'Remove the main photo' })).toBeFocused();
  await removeMain();
  await expect.poll(paths).toEqual([expect.stringMatching(/^other/)]);
  await page.getByRole('button', { name: 'Make this the main photo' }).click();
  await expect.poll(paths).toEqual([expect.stringMatching(/^primary/)]);
  await expect(shown.first()).toHaveAttribute('src', /\/primary\//);
  await page.getByRole('button', { name: 'Add a photo' }).click();
  await choosePicture(page, '3.jpg');
  await use.click();
  await expect(page.getByRole('img', { name: 'Photo of Pita' })).toHaveCount(2);
  await expect
    .poll(paths)
    .toEqual([expect.stringMatching(/^other/), expect.stringMatching(/^primary/)]);

  // A photo added while another device promotes the last one to main photo does not replace it.
  await removeMain();
  await expect(shown).toHaveCount(1);
  const [last = ''] = await paths();
  await files.move(`${me.id}/dogs/${dogId}/${last}`, `${folder}/primary-4-${randomUUID()}.webp`);
  await page.getByRole('button', { name: 'Add a photo' }).click();
  await choosePicture(page, '5.jpg');
  await use.click();
  await expect
    .poll(paths)
    .toEqual([expect.stringMatching(/^other\/4-/), expect.stringMatching(/^primary\/primary-5-/)]);
  await expect(shown).toHaveCount(2);

  // Photos that fail to load show an error in place and keep their actions.
  await page.route('**/storage/v1/render/**', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('This photo does not load.')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Remove this photo' })).toBeVisible();
});

test('of two main photos sent at the same time one becomes the main photo, and none is lost', async ({
  site,
  pageFor,
}) => {
  const me = await site.user();
  const dogId = await addDog(me, 'Pita');
  const devices = [await pageFor(me), await pageFor(me)];
  const paths = async () =>
    (
      await site.sql<{ path: string }>(
        `select substring(name from '(other|primary)/') || '/' || substring(name from '([0-9])-[^/]+$') as path
         from storage.objects where bucket_id = 'users' and name like $1 order by 1`,
        [`${me.id}/dogs/${dogId}/%`],
      )
    ).map(({ path }) => path);
  for (const device of devices) await device.goto(`/profile/${me.id}/dogs/${dogId}`);

  for (const { button, name, left } of [
    { button: 'Add a photo', name: '1', left: ['other/1', 'primary/1'] },
    // Each device replaces the photo that it shows, and does not delete a photo that the other device has uploaded since.
    { button: 'Replace the main photo', name: '2', left: ['other/1', 'other/2', 'primary/2'] },
  ]) {
    for (const device of devices) await device.getByRole('button', { name: button }).click();
    // Delay listing the folder until both devices have uploaded.
    let look = () => {};
    const both = new Promise<void>((resolve) => (look = resolve));
    for (const device of devices) {
      await device.route('**/storage/v1/object/list/**', async (route) => {
        await both;
        await route.continue();
      });
      await choosePicture(device, `${name}.jpg`);
      await device.getByRole('button', { name: 'Use this photo' }).click();
    }
    const sent = async () => (await paths()).filter((path) => path === `primary/${name}`).length;
    await expect.poll(sent).toBe(2);
    look();
    for (const device of devices)
      await expect(device.getByRole('img', { name: 'Photo of Pita' })).toHaveCount(left.length);
    await expect.poll(paths).toEqual(left);
    for (const device of devices) await device.unroute('**/storage/v1/object/list/**');
  }
  const [dog] = await site.sql<{ photo: string }>('select photo from public.dogs where id = $1', [
    dogId,
  ]);
  expect(dog?.photo).toMatch(/\/primary\/primary-2-/);
});

test('the visitors of a park: what the dogs there are like, and how they suit mine', async ({
  site,
  pageFor,
}) => {
  const ann = await site.user();
  const { id: park } = await reservePark(site);
  await addDog(ann, 'Luna');
  const old = await addDog(ann, 'Max');
  await site.sql`update dogs set birthday = '2010-01-01' where id = ${old}`;
  // In a later slot, so that it stays published during the test.
  await site.sql`insert into private.park_companies (park_id, slot, company)
    values (${park}, 9999999999, '{"size": "SMALL", "energy": "HIGH", "puppies": "SOME"}')`;
  const page = await pageFor(ann, { at: `/parks/${park}/visitors` });
  const card = page.getByRole('region', { name: 'The dogs here now' });
  await expect(card.getByRole('listitem')).toHaveText([
    'Mostly small dogs',
    'Some puppies',
    'Mostly full of energy',
  ]);
  await expect(card.getByRole('paragraph')).toHaveText([
    'Should be fine for Luna',
    'A lively crowd: keep an eye on Max',
  ]);
});
