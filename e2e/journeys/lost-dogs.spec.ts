// A dog gets lost: one person says so, another sees it, and a finder without an account scans its tag.
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { addDog, acceptTerms, picture } from '../support/fixtures.ts';
import { expect, test, type Person, type Site } from '../support/test.ts';

test.use({ allowedErrors: [/Failed to load resource/] });

/** Visits on two earlier days make a regular. */
const makeRegular = (site: Site, { id }: Person) =>
  site.sql(
    `insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at, ended_at)
     select $1, (select min(id) from public.parks), 1, day, day + interval '1 hour', day + interval '1 hour'
     from unnest(array[now() - interval '2 days', now() - interval '3 days']) day`,
    [id],
  );

/** Points at the device's place on the map of a sheet. */
async function pointHere(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'My location' }).click();
}

test('a lost dog is on the map, seen by somebody, written about by a finder, and found', async ({
  site,
  pageFor,
  page: findersPage,
}) => {
  const [ann, ben] = [await site.person(), await site.person()];
  for (const person of [ann, ben]) await acceptTerms(person);
  await makeRegular(site, ann);
  const name = `Rex ${ann.name.slice(-4).replaceAll(/\d/g, 'x')}`;
  const dog = await addDog(ann, name);
  const [annsPage, bensPage] = [await pageFor(ann), await pageFor(ben)];

  await annsPage.goto(`/profile/${ann.id}/dogs/${dog}`);
  await annsPage.getByRole('button', { name: 'Tag for the collar' }).click();
  const tag = await annsPage.getByRole('dialog').getByText('/tag/').textContent();
  const saved = annsPage.waitForEvent('download');
  await annsPage.getByRole('button', { name: 'Save the code' }).click();
  expect((await saved).suggestedFilename()).toBe(`${name}.svg`);
  await annsPage.getByRole('button', { name: 'Close' }).click();
  await findersPage.goto(String(tag));
  await expect(findersPage.getByText('Nobody is looking for a dog with this tag')).toBeVisible();

  await annsPage.getByRole('button', { name: 'My dog is lost' }).click();
  await pointHere(annsPage);
  await annsPage.getByRole('button', { name: 'Tell those nearby' }).click();
  await expect(annsPage.getByText(/People nearby see the card until/)).toBeVisible();

  // A notification leads to the card itself.
  const [lost] = await site.sql<{
    id: string;
  }>`select id from private.lost_dogs where dog_id = ${dog}`;
  await bensPage.goto(`/?lost=${lost?.id}`);
  const card = bensPage.getByRole('listitem').filter({ hasText: name });
  await expect(card).toBeVisible();
  await expectAccessible(bensPage);
  await card.getByRole('button', { name: 'I saw it' }).click();
  await expect(bensPage.getByRole('dialog').getByText('Where it was')).toBeVisible();
  await expectAccessible(bensPage);
  await pointHere(bensPage);
  await bensPage.locator('input[type=file]').setInputFiles({
    name: '1.jpg',
    mimeType: 'image/jpeg',
    buffer: await picture('jpeg'),
  });
  // A photo is nowhere but on the page, so that the browser asks before it is lost.
  const leave = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await expect.poll(() => bensPage.evaluate(leave)).toBe(false);
  await bensPage.getByRole('button', { name: 'Send' }).click();
  await expect(bensPage.getByText('The people of this dog know now.')).toBeVisible();
  // Closed, it stays closed.
  await bensPage.getByRole('link', { name: 'Parks', exact: true }).first().click();
  await bensPage.goBack();
  await expect(bensPage.getByRole('button', { name: 'Lost dogs near here' })).toBeVisible();
  await expect(card).toBeHidden();

  await findersPage.reload();
  await expect(findersPage.getByRole('heading', { name: `${name} is lost` })).toBeVisible();
  const words = findersPage.getByLabel('Your words');
  await words.fill('It sits at the fountain.');
  await findersPage.reload();
  await expect(words).toHaveValue('It sits at the fountain.');
  await findersPage.getByRole('button', { name: 'Send' }).click();
  await expect(findersPage.getByText(`The people of ${name} know now.`)).toBeVisible();

  await annsPage.reload();
  const seen = annsPage.getByRole('list', { name: 'Where it was seen' });
  await expect(seen.getByText('It sits at the fountain.')).toBeVisible();
  await expect(seen.getByRole('link', { name: 'Show on the map' })).toBeVisible();
  await expect(seen.getByRole('img', { name: 'A photo from somebody who saw it' })).toBeVisible();
  await annsPage.getByRole('button', { name: 'Found!' }).click();
  await expect(annsPage.getByRole('button', { name: 'My dog is lost' })).toBeVisible();
  await bensPage.goto('/notifications');
  await expect(bensPage.getByText(/is home again/)).toBeVisible();
  await bensPage.goto(`/?lost=${lost?.id}`);
  await expect(bensPage.getByText('This dog is not lost any more')).toBeVisible();
});
