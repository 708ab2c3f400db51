// Where there is no network a lost dog's card is read all the same, and what was seen waits with its photo.
import { addDog, acceptTerms, picture } from '../support/fixtures.ts';
import {
  CUT,
  expectCached,
  expectQueued,
  expectQueueEmpty,
  readyForOffline,
} from '../support/offline-driver.ts';
import { expect, test } from '../support/test.ts';

test.use({ installed: true, allowedErrors: [CUT] });

test('who sees a lost dog without a network says so when it is back', async ({ site, pageFor }) => {
  const [ann, ben] = [await site.person(), await site.person()];
  for (const person of [ann, ben]) await acceptTerms(person);
  const dog = await addDog(ann, 'Rexy');
  await ann.client.rpc('report_lost_dog', { p_dog_id: dog, p_lat: 32.1, p_long: 34.81 });
  await site.sql`update private.lost_dogs set approved_at = now() where dog_id = ${dog}`;
  const page = await pageFor(ben);
  await page.goto('/');
  const near = page.getByRole('button', { name: 'Lost dogs near here' });
  await expect(near).toBeVisible();
  await readyForOffline(page);
  for (const words of ['Rexy', '"terms_accepted":true']) await expectCached(page, words);
  await page.context().setOffline(true);
  await page.goto('/');
  await near.click();
  await page.getByRole('button', { name: 'I saw it' }).click();
  const where = page.getByRole('dialog', { name: 'Where did you see' });
  await where.getByRole('button', { name: 'My location' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: '1.jpg',
    mimeType: 'image/jpeg',
    buffer: await picture('jpeg'),
  });
  await where.getByRole('button', { name: 'Send' }).click();
  await expectQueued(page, 2);
  await page.context().setOffline(false);
  await expectQueueEmpty(page);
  const { data } = await ann.client.rpc('my_lost_dog', { p_dog_id: dog });
  expect(data).toMatchObject({
    sightings: [{ photo: expect.stringContaining('.webp') as unknown }],
  });
  await ann.client.rpc('found_dog', { p_dog_id: dog });
});
