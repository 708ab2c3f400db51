// Reviews of a park: written, ranked, anonymous, edited, deleted, reported.
import type { Page } from '@playwright/test';
import { acceptTerms, reservePark, writeReview } from '../support/fixtures.ts';
import { expect, shortenPolling, test } from '../support/test.ts';

async function write(page: Page, rank: string, title: string, content: string): Promise<void> {
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('radio', { name: rank }).check();
  await sheet.getByLabel('Title').fill(title);
  await sheet.getByLabel('What should others know?').fill(content);
}

test('a first review needs stars and accepted rules, and shows immediately', async ({
  site,
  pageFor,
}) => {
  const { id: parkId } = await reservePark(site);
  const user = await site.user('Dana Reviewer');
  const page = await pageFor(user);
  await shortenPolling(page);
  await page.goto(`/parks/${parkId}/reviews`);
  await page.getByRole('button', { name: 'Write a review' }).click();
  const counts = page.getByText('Your stars count once you have checked in here.');
  await expect(counts).toBeVisible();
  await page.getByRole('button', { name: 'Post review' }).click();
  await expect(page.getByText('Choose 1 to 5 stars')).toBeVisible();
  await write(page, '4 stars', 'Good water', 'The tap works 💧 and there is shade');
  await expect(page.getByText('Choose 1 to 5 stars')).toBeHidden();
  // A tap outside the sheet loses nothing.
  await page.mouse.click(5, 5);
  await page.getByRole('button', { name: 'Post review' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  // Declining loses nothing that was typed.
  await expect(page.getByLabel('Title')).toHaveValue('Good water');
  await page.getByRole('button', { name: 'Post review' }).click();
  await page.getByRole('button', { name: 'Agree' }).click();
  const card = page.getByRole('article').filter({ hasText: 'Good water' });
  await expect(card).toContainText('Anonymous');
  await expect(card).toContainText('Yours');
  const { data: others } = await (
    await site.user()
  ).client
    .from('park_reviews')
    .select('id')
    .eq('park_id', parkId);
  expect(others).toEqual([]);

  await user.client.rpc('check_in', { p_park_id: parkId });
  await page.getByRole('button', { name: 'Edit your review' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Good water');
  await expect(counts).toBeHidden();
  await write(page, '5 stars', 'Great water', 'Even better now');
  await expect(page.getByText('From tomorrow, everyone sees')).toBeVisible();
  await page.getByRole('switch', { name: 'Show my name' }).click();
  await expect(page.getByText('Everyone immediately sees your name')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('article').filter({ hasText: 'Great water' })).toContainText(
    'Dana Reviewer',
  );
  await expect(page.getByText('Good water')).toBeHidden();

  await page
    .getByRole('article')
    .filter({ hasText: 'Great water' })
    .getByRole('button', { name: 'Review options' })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Your review is deleted')).toBeVisible();
  await expect(page.getByText('Great water')).toBeHidden();

  // After another user's review, the app fetches the summary again, and the list matches it.
  const other = await site.user();
  await acceptTerms(other);
  await other.client.rpc('check_in', { p_park_id: parkId });
  // Makes the visit longer than the time in which it can be undone, because only then the rank counts.
  await site.sql`update public.check_ins set started_at = started_at - interval '6 minutes' where user_id = ${other.id}`;
  await writeReview(other, parkId, 'Still green', 2);
  await expect(page.getByText('2 stars: 1 review')).toBeVisible();
  await expect(page.getByRole('article')).toContainText('Still green');
});

test('another tab neither clears typed text nor posts it twice', async ({ site, pageFor }) => {
  const { id: parkId } = await reservePark(site);
  const user = await site.user();
  await user.client.rpc('accept_terms', { p_licence: true });
  const page = await pageFor(user);
  await page.clock.install();
  await page.goto(`/parks/${parkId}/reviews`);
  await page.getByRole('button', { name: 'Write a review' }).click();
  await write(page, '3 stars', 'Twice', '');

  const other = {
    p_park_id: parkId,
    p_title: 'Other',
    p_content: '',
    p_rank: 1,
    p_anonymous: false,
  };
  const learnt = page.waitForResponse(/park_reviews\?.*mine=eq\.true/);
  await user.client.rpc('save_review', other);
  await page.clock.fastForward('00:16');
  await learnt;
  await expect(page.getByLabel('Title')).toHaveValue('Twice');
  await page.getByRole('button', { name: 'Post review' }).dblclick();
  await expect(page.getByRole('article').filter({ hasText: 'Twice' })).toHaveCount(1);
  const rows = await site.sql`select count(*)::int from public.reviews where author = ${user.id}`;
  expect(rows).toEqual([{ count: 1 }]);
});
