// A town's representative closes a park for everybody and handles a hazard; its reporter is notified.
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { acceptTerms, ownPark } from '../support/fixtures.ts';
import { keyboardOf } from '../support/keyboard-driver.ts';
import { createModerator, withFactor } from '../support/moderator.ts';
import { NEAREST } from '../support/home-driver.ts';
import { mailTo } from '../support/login-driver.ts';
import { expect, test } from '../support/test.ts';
import { totp } from '../support/totp.ts';

test("by keyboard only: a town's representative closes a park, takes on a hazard, and undoes it", async ({
  site,
  pageFor,
}) => {
  const park = await ownPark(site, 'Town Park');
  const [clerk, ann] = [await withFactor(await site.user('Clerk')), await site.user('Ann')];
  await acceptTerms(ann);
  await ann.client.rpc('report_hazard', { p_park_id: park, p_hazard: 'glass' });
  const [named] = await site.sql<{ code: string }>`
    select public.desk_set_role(${clerk.id}, 'town', ${`Town ${park}`}, ${[park]}) as code`;

  const town = await pageFor(clerk, { at: '/desk' });
  const keys = keyboardOf(town);
  await keys.type(town.getByLabel('Code from an administrator'), named?.code ?? '');
  await keys.press(town.getByRole('button', { name: 'Open the desk' }));
  await keys.focuses(`heading Town ${park}`);
  const decisions = town.getByRole('region', { name: 'Decisions' });
  await expect(decisions).toContainText('Nothing has been decided yet.');
  await keys.press(town.getByRole('button', { name: 'New notice' }));
  const sheet = town.getByRole('dialog');
  await keys.type(sheet.getByLabel('Description'), 'See www.grass.example');
  await keys.press(sheet.getByRole('button', { name: 'Post' }));
  await expect(sheet.getByText('No links or addresses, please.')).toBeVisible();
  await keys.focuses('textbox Description (optional)');
  await town.reload();
  await expect(sheet.getByLabel('Description')).toHaveValue('See www.grass.example');
  await keys.type(sheet.getByLabel('Description'), 'New grass until the summer');
  await keys.press(sheet.getByRole('button', { name: 'Post' }));
  const notices = town.getByRole('region', { name: 'Notices' });
  await expect(notices).toContainText('New grass until the summer');
  await keys.focuses(`heading Town ${park}`);

  const visitor = await pageFor();
  const see = async (page: Page) => {
    await page.goto(`/parks/${park}/`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Town Park');
  };
  await see(visitor);
  const shown = visitor.getByRole('list', { name: 'Notices from the town' });
  await expect(shown).toContainText(/^Closed until .*New grass until the summer.*Notice by .*Town/);
  await expect(visitor.getByText('Better not now')).toBeVisible();

  const hazards = town.getByRole('region', { name: 'Hazards in your parks' });
  await keys.press(hazards.getByRole('button', { name: 'In hand' }));
  await expect(hazards.getByRole('button', { name: 'In hand' })).toHaveCount(0);
  await keys.focuses('button Done: broken glass, Town Park');
  const reporter = await pageFor(ann, { at: '/notifications' });
  await reporter.getByRole('button', { name: /is taking care of what you reported/ }).click();
  await expect(reporter.getByRole('list', { name: 'Hazards now' })).toContainText(
    'is taking care of it',
  );
  await keys.press(hazards.getByRole('button', { name: 'Done' }));
  await keys.announces('The queue is empty');
  await keys.focuses('heading Hazards in your parks');
  await reporter.goto('/notifications');
  await expect(reporter.getByText('The town took care of it')).toBeVisible();

  const address = `parks-${park}@example.test`;
  await hazards.getByLabel('Address of the town').fill(address);
  await hazards.getByRole('button', { name: 'Send a code there' }).click();
  const { code } = await mailTo(site, address);
  await hazards.getByLabel('Code').fill('12345');
  await hazards.getByRole('button', { name: 'Confirm' }).click();
  await expect(hazards.getByText('This code is not right')).toBeVisible();
  await hazards.getByLabel('Code').fill(code);
  await hazards.getByRole('button', { name: 'Confirm' }).click();
  await expect(hazards).toContainText('Confirmed hazards are emailed to');
  await expectAccessible(town);
  await hazards.getByRole('button', { name: 'Switch off' }).click();
  await expect(hazards.getByLabel('Address of the town')).toHaveValue('');

  const done = decisions.getByRole('listitem').filter({ hasText: '· Done' });
  await keys.press(done.getByRole('button', { name: 'Undo' }));
  await expect(hazards).toContainText('broken glass');
  await keys.press(notices.getByRole('button', { name: 'Withdraw' }));
  await expect(notices).not.toContainText('New grass');
  await see(visitor);
  await expect(visitor.getByRole('button', { name: 'Check in here' })).toBeVisible();
  await expect(shown).toHaveCount(0);
  expect(keys.findings).toEqual([]);

  const administrator = await pageFor(await createModerator(site, 'Ada', 'administrator'));
  await administrator.goto('/desk/team');
  const member = administrator.getByRole('listitem').filter({ hasText: `Town ${park}` });
  await expect(member).toContainText('Town representative');
});

test('an administrator appoints a representative for the parks of an area drawn on the map', async ({
  site,
  pageFor,
}) => {
  const ada = await createModerator(site, 'Ada', 'administrator');
  const clerk = await withFactor(await site.user('Clerk'));
  const name = `Drawn ${clerk.id.slice(0, 8)}`;
  const page = await pageFor(ada);
  // Without animation, so the map has moved before the next key.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`/desk/users?user=${clerk.id}`);
  const dialog = async (button: string) => {
    const sheet = page.getByRole('dialog');
    await site.sql('update auth.mfa_factors set last_step = null where user_id = $1', [ada.id]);
    await sheet.getByLabel('Six-digit code').fill(totp(ada.secret));
    await sheet.getByLabel('Password', { exact: true }).fill(ada.password);
    await sheet.getByRole('button', { name: button }).click();
    await expect(sheet).toBeHidden();
  };
  await page.getByRole('button', { name: 'Appoint for a town' }).click();
  const form = page.getByRole('article').locator('form');
  const submit = form.getByRole('button', { name: 'Appoint for a town' });
  await form.getByLabel('Name of the town').fill(name);
  await form.locator('.leaflet-marker-pane button').first().waitFor();
  const pressKeys = async (keys: string) => {
    await form.locator('.leaflet-container').focus();
    for (const key of keys.split(' ')) await page.keyboard.press(key);
  };
  await pressKeys('ArrowUp ArrowLeft Enter ArrowRight ArrowRight Enter');
  await submit.click();
  await expect(form.getByText('Please mark a park, or three corners.')).toBeVisible();
  await pressKeys('ArrowDown ArrowDown');
  await form.getByRole('button', { name: 'Corner in the middle' }).click();
  await pressKeys('ArrowLeft ArrowLeft Enter ArrowLeft Enter');
  const marked = form.getByText(/^Parks: –\. Corners:/);
  await expect(marked).toHaveText(/Corners: 5\.$/);
  await form.getByRole('button', { name: 'Undo the last corner' }).click();
  await expect(marked).toHaveText(/Corners: 4\.$/);
  await expectAccessible(page);
  await submit.click();
  await dialog('Appoint for a town');
  const code = /[0-9A-F]{5}(-[0-9A-F]{5}){3}/.exec(
    (await page.getByText('Hand it over in person').textContent()) ?? '',
  );

  const town = await pageFor(clerk, { at: '/desk' });
  await town.getByLabel('Code from an administrator').fill(code?.[0] ?? '');
  await town.getByRole('button', { name: 'Open the desk' }).click();
  await expect(town.getByRole('heading', { level: 1 })).toHaveText(name);
  const parks = town.getByRole('region', { name: 'Your parks' }).getByRole('listitem');
  await expect(parks.filter({ hasText: NEAREST.en })).toHaveCount(1);
  await expect(parks.filter({ hasText: 'Willow Field' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Remove as representative' }).click();
  await dialog('Remove as representative');
  await expect(page.getByRole('button', { name: 'Remove as representative' })).toHaveCount(0);
  await town.reload();
  await expect(town.getByLabel('Code from an administrator')).toHaveCount(0);
  await expect(town.getByRole('heading', { level: 1 })).not.toHaveText(name);
});
