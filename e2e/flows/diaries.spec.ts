// The pack diary: stored on the device only, per account; part of the export; deleted at logout unless the user keeps it.
import sharp from 'sharp';
import { unzipSync } from 'fflate';
import type { Page } from '@playwright/test';
import { addDog, befriend, confirmCheckIn, reservePark } from '../support/fixtures.ts';
import { keyboardOf } from '../support/keyboard-driver.ts';
import { storedOn } from '../support/offline-driver.ts';
import { logIn } from '../support/login-driver.ts';
import { expect, test } from '../support/test.ts';

// Chromium logs requests that the server rejects right after a logout.
test.use({ allowedErrors: [/status of 40[013]/] });

test('by keyboard only: a visit leaves a stamp, with friends’ dogs for as long as they are friends', async ({
  site,
  pageFor,
}) => {
  const [ann, ben] = [await site.user(), await site.user()];
  const park = await reservePark(site);
  const rex = await addDog(ann, 'Rex');
  const luna = await addDog(ben, 'Luna');
  await befriend(ben, ann);
  await ben.client.rpc('check_in', { p_park_id: park.id, p_dog_ids: [luna] });
  // With Luna these are six, the most dogs of newcomers that count at one park, so its number of dogs does not include Rex.
  await site.sql`insert into public.check_ins (user_id, park_id, dog_count, expires_at)
    values (${(await site.user()).id}, ${park.id}, 5, now() + interval '1 hour')`;

  const page = await pageFor(ann, { at: `/parks/${park.id}/` });
  const keys = keyboardOf(page);
  await keys.press(page.getByRole('button', { name: 'Check in here' }));
  await keys.press(confirmCheckIn(page));
  await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
  // The diary records the dogs that are there during the visit, because the server does not return them afterwards.
  await expect.poll(() => kept(page, ann.id)).toContain('Luna');

  await page.goto(`/profile/${ann.id}/dogs/${rex}`);
  await expect(page.getByText('Luna, once')).toBeVisible();
  await keys.press(page.getByRole('link', { name: 'Pack diary' }));
  await keys.focuses('heading Pack diary');
  const stamp = page.getByRole('main').getByRole('listitem');
  await expect(stamp).toContainText(park.name);
  for (const words of ['One visit so far', 'With Rex', 'Met 6 dogs', 'dogs: Luna'])
    await expect(stamp).toContainText(words);
  const picture = page.waitForEvent('download');
  await keys.press(page.getByRole('button', { name: 'Share as a picture' }));
  const drawn = sharp(await (await picture).path());
  expect(await drawn.metadata()).toMatchObject({ format: 'png', width: 1080, height: 1920 });
  expect((await drawn.stats()).entropy).toBeGreaterThan(0.1);

  const download = page.waitForEvent('download');
  await page.goto(`/profile/${ann.id}/settings`);
  await page.getByRole('button', { name: 'Export my data' }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
  const files = unzipSync(Buffer.concat(chunks));
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['data.json', 'diary.json']));
  expect(Buffer.from(files['diary.json'] ?? []).toString()).toContain('Luna');

  await ann.client.rpc('unfriend', { p_user_id: ben.id });
  await page.goto(`/profile/${ann.id}/diary`);
  await expect(stamp).toContainText('Met 6 dogs');
  await expect.poll(() => kept(page, ann.id)).not.toContain('Luna');
  await expect(stamp).not.toContainText('Luna');
  const stays = page.getByRole('switch', { name: 'Keep it here after logging out' });
  await keys.press(stays, 'Space');
  await expect(stays).toBeChecked();
  await keys.press(page.getByRole('button', { name: 'Delete diary' }));
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete diary' }));
  await keys.announces('leaves a stamp here');
  await keys.focuses('heading Pack diary');
  expect(keys.findings).toEqual([]);
});

test('logging out deletes it unless the user keeps it; a button deletes it too', async ({
  site,
  pageFor,
}) => {
  const user = await site.user();
  const park = await reservePark(site);
  await user.client.rpc('check_in', { p_park_id: park.id });
  const page = await pageFor(user);
  const diary = `/profile/${user.id}/diary`;
  const logOut = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByText(/You are logged out/)).toBeVisible();
  };
  const comeBack = async () => {
    await page.goto('/login?mode=login');
    await logIn(page, user);
    await expect(page).not.toHaveURL(/login/);
    await page.goto(diary);
  };
  await page.goto(diary);
  const stays = page.getByRole('switch', { name: 'Keep it here after logging out' });
  await stays.click();
  await expect.poll(() => kept(page, user.id)).toContain('"staysAfterLogout":true');
  await logOut();
  await expect.poll(() => kept(page, user.id)).toContain(park.name);
  await comeBack();
  await stays.click();
  await expect(stays).not.toBeChecked();
  await page.getByRole('button', { name: 'Delete diary' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete diary' }).click();
  await expect(page.getByRole('main').getByText('leaves a stamp here')).toBeVisible();
  // Visits before the deletion are still on the server, but the diary does not add them again.
  await page.reload();
  await expect(page.getByRole('main').getByText('leaves a stamp here')).toBeVisible();
  await logOut();
  await expect.poll(() => kept(page, user.id)).toBe('');

  // Deleting the account also deletes the diary, even if the user chose to keep it at logout.
  await comeBack();
  await stays.click();
  await expect(stays).toBeChecked();
  await page.goto(`/profile/${user.id}/settings`);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page).toHaveURL('/user-deleted');
  await expect.poll(() => kept(page, user.id)).toBe('');
});

/** The user's diary on this device, as JSON. */
const kept = async (page: Page, userId: string): Promise<string> =>
  JSON.stringify(await storedOn(page, 'packpark-diary', 'users', userId)) ?? '';
