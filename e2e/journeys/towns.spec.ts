// The town speaks: it closes a park for everybody to see, and takes care of a hazard, which its reporter is told.
import type { Page } from '@playwright/test';
import { acceptTerms, ownPark } from '../support/fixtures.ts';
import { createModerator, withFactor } from '../support/moderator.ts';
import { expect, test } from '../support/test.ts';

test('somebody named for a town closes a park, takes a hazard in hand, and undoes it', async ({
  site,
  pageFor,
}) => {
  const park = await ownPark(site, 'Town Park');
  const [clerk, ann] = [await withFactor(await site.person('Clerk')), await site.person('Ann')];
  await acceptTerms(ann);
  await ann.client.rpc('report_hazard', { p_park_id: park, p_hazard: 'glass' });
  const [named] = await site.sql<{ code: string }>`
    select public.desk_set_role(${clerk.id}, 'town', ${`Town ${park}`}, ${[park]}) as code`;

  const town = await pageFor(clerk, { at: '/desk' });
  await town.getByLabel('Code from an administrator').fill(named?.code ?? '');
  await town.getByRole('button', { name: 'Open the desk' }).click();
  await expect(town.getByRole('heading', { level: 1 })).toHaveText(`Town ${park}`);
  await town.getByRole('button', { name: 'New notice' }).click();
  const sheet = town.getByRole('dialog');
  await sheet.getByLabel('In words').fill('See www.grass.example');
  await sheet.getByRole('button', { name: 'Post' }).click();
  await expect(sheet.getByText('No links or addresses, please.')).toBeVisible();
  await sheet.getByLabel('In words').fill('New grass until the summer');
  await sheet.getByRole('button', { name: 'Post' }).click();
  const notices = town.getByRole('region', { name: 'Notices' });
  await expect(notices).toContainText('New grass until the summer');

  const visitor = await pageFor();
  const see = async (page: Page) => {
    await page.goto(`/parks/${park}/`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Town Park');
  };
  await see(visitor);
  const shown = visitor.getByRole('list', { name: 'Notices of the town' });
  await expect(shown).toContainText(/^Closed until .*New grass until the summer.*Notice by .*Town/);
  await expect(visitor.getByText('Better not now')).toBeVisible();

  const hazards = town.getByRole('region', { name: 'Hazards in your parks' });
  await hazards.getByRole('button', { name: 'In hand' }).click();
  await expect(hazards.getByRole('button', { name: 'In hand' })).toHaveCount(0);
  const reporter = await pageFor(ann, { at: '/notifications' });
  await reporter.getByRole('button', { name: /takes care of what you reported/ }).click();
  await expect(reporter.getByRole('list', { name: 'Hazards now' })).toContainText(
    'takes care of it',
  );
  await hazards.getByRole('button', { name: 'Done' }).click();
  await expect(hazards).toContainText('Nothing waits');
  await reporter.goto('/notifications');
  await expect(reporter.getByText('The town took care of it')).toBeVisible();

  const decisions = town.getByRole('region', { name: 'Decisions' }).getByRole('listitem');
  await decisions.filter({ hasText: '· Done' }).getByRole('button', { name: 'Undo' }).click();
  await expect(hazards).toContainText('broken glass');
  await notices.getByRole('button', { name: 'Withdraw' }).click();
  await expect(notices).not.toContainText('New grass');
  await see(visitor);
  await expect(visitor.getByRole('button', { name: 'Check in here' })).toBeVisible();
  await expect(shown).toHaveCount(0);

  const administrator = await pageFor(await createModerator(site, 'Ada', 'administrator'));
  await administrator.goto('/desk/team');
  const member = administrator.getByRole('listitem').filter({ hasText: `Town ${park}` });
  await expect(member).toContainText('Of a town');
});
