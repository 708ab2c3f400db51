// The desk: a moderator's morning by keyboard and on a phone in Hebrew, two moderators in parallel, and access.
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import {
  createModerator,
  withFactor,
  emptyQueue,
  fillQueue,
  submitParks,
} from '../support/moderator.ts';
import { axeFindings } from '../support/accessible.ts';
import { widthFindings } from '../support/screen-checks.ts';
import { test, type Site } from '../support/test.ts';
import { acceptTerms, addDog, unfold } from '../support/fixtures.ts';
import { totp } from '../support/totp.ts';
import { navigateTo } from '../support/navigation.ts';

// A separate site, because other tests add pending items.
test.use({
  hostSettings: { CONTACT_EMAIL: 'desk@example.org' },
  allowedErrors: [/status of (400 .*desk_undo_import|422 .*park-imports)/],
});
// One worker, because these tests need a host of their own, which is started once.
test.describe.configure({ mode: 'default' });

const main = (page: Page) => page.locator('#main');
const item = (page: Page) => main(page).getByRole('article');
const waiting = async (site: Site) =>
  (await site.sql<{ n: number }>('select count(*)::int as n from private.waiting_items()'))[0]?.n;
/** The previous action is complete, so the next key takes effect. */
const settled = (page: Page) =>
  expect(main(page).locator('[aria-busy="false"]').first()).toBeVisible();

/** The names of the two parks in an item about a duplicate. */
const names = (page: Page) => item(page).getByRole('link').allInnerTexts();

test('a morning of 20 items of all types, by keyboard', async ({ site, pageFor }) => {
  await emptyQueue(site);
  await submitParks(site, 13);
  const { contributor, review } = await fillQueue(site);
  const moderator = await createModerator(site, 'Mo');
  const page = await pageFor(moderator);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/desk/site');
  await expect(main(page)).toContainText('This page is for administrators.');
  await page.goto('/desk');
  expect(await waiting(site)).toBe(20);
  // Changing the filter releases the claimed item of the previous type.
  const claims = async () =>
    (await site.sql<{ type: string }>('select type from private.desk_claims')).map(
      ({ type }) => type,
    );
  for (const [type, shown] of [
    ['photo', 'Photo'],
    ['hazard', 'Hazard'],
  ] as const) {
    await settled(page);
    await main(page).getByLabel('Queue').selectOption(type);
    await expect(item(page).getByRole('heading', { level: 2 })).toHaveText(shown);
    await expect.poll(claims).toEqual([type]);
  }
  await main(page).getByLabel('Queue').selectOption('all');
  // Letter shortcuts work only inside the item, and can be disabled.
  const approved: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/desk_decide')) approved.push(request.postDataJSON());
  });
  await settled(page);
  await main(page).getByRole('link', { name: 'Decisions' }).focus();
  await page.keyboard.press('a');
  await main(page).getByRole('switch', { name: 'Letter keys' }).uncheck();
  await page.keyboard.press('a');
  await main(page).getByRole('switch', { name: 'Letter keys' }).check();
  await item(page).getByRole('heading', { level: 2 }).focus();
  expect(approved).toEqual([]);
  /** Waits until the next item has loaded and its shortcuts work. */
  const ready = async () => {
    await settled(page);
    await expect(item(page).getByRole('heading', { level: 2 })).toBeFocused();
  };
  // Postponed and undone items come back.
  await ready();
  const oldest = await item(page).innerText();
  await page.keyboard.press('n');
  await expect.poll(() => item(page).innerText()).not.toBe(oldest);
  await ready();
  await page.keyboard.press('a');
  await expect.poll(() => waiting(site)).toBe(19);
  await ready();
  await page.keyboard.press('u');
  await expect.poll(() => waiting(site)).toBe(20);
  const seen = new Set<string>();
  for (let left = 20; left > 0; left -= 1) {
    await ready();
    const type = await item(page).getByRole('heading', { level: 2 }).innerText();
    seen.add(type);
    if (type === 'Reported person') {
      await expect(item(page)).toContainText('Sells leashes');
      await page.keyboard.press('r');
      const sheet = page.getByRole('dialog');
      // No sanction is preselected.
      await expect(sheet.getByRole('radio', { checked: true })).toHaveCount(0);
      await expect(sheet.getByRole('button', { name: 'Act on the person' })).toBeDisabled();
      await sheet.getByText('Warn', { exact: true }).click();
      await sheet.getByText('Not genuine').click();
      await sheet.getByRole('button', { name: 'Warn' }).click();
    } else if (type === 'Reported review') {
      await expect(item(page)).toContainText('Nobody can see who wrote it');
      await expect(item(page)).not.toContainText('Contributor');
      await page.keyboard.press('r');
      await page.keyboard.press('1');
    } else {
      // Shows before and after side by side, and for duplicates both parks.
      const [first, second] =
        type === 'Correction'
          ? ['Now', 'Suggested']
          : type === 'Duplicate park'
            ? await names(page)
            : [];
      if (type === 'Correction') await expect(item(page)).not.toContainText('#');
      // The correction moves the park by 0.001 degrees, which is about 110 metres.
      if (type === 'Correction') await expect(item(page)).toContainText('110 m');
      if (first && second && type === 'Duplicate park') {
        await expect(item(page)).toContainText(/#\d+ · goes into #\d+.*#\d+ · stays.* apart/s);
      }
      if (first && second) {
        const maps = [first, second].map((name) =>
          item(page).getByRole('application', { name, exact: true }),
        );
        for (const map of maps) await expect(map.locator('.leaflet-marker-pane > *')).toBeVisible();
        // Polls, because content above the maps may still be loading and move them.
        await expect
          .poll(async () => {
            const [before, after] = await Promise.all(maps.map((map) => map.boundingBox()));
            return before && after && after.y - before.y;
          })
          .toBe(0);
      }
      await page.keyboard.press('a');
    }
    await expect.poll(() => waiting(site)).toBe(left - 1);
  }
  expect([...seen].toSorted()).toEqual([
    'Correction',
    'Duplicate park',
    'Hazard',
    'New park',
    'Photo',
    'Reported person',
    'Reported photo',
    'Reported review',
  ]);
  await expect(main(page)).toContainText('The queue is empty. Well done!');
  expect(
    await site.sql`select hidden_at is not null as hidden from public.reviews where id = ${review}`,
  ).toEqual([{ hidden: true }]);
  const { data } = await contributor.client
    .from('notifications')
    .select('title')
    .eq('type', 'sanction');
  expect(data).toEqual([{ title: 'A warning' }]);
});

test.describe('if the first request fails, and an item changes', () => {
  test.use({
    allowedErrors: [/(net::ERR_FAILED .*desk_next|status of 400 .*desk_decide)/],
  });

  test('on a phone in Hebrew: retry, approve, reject, undo', async ({ site, pageFor }) => {
    await emptyQueue(site);
    const [first, second] = await submitParks(site, 2);
    await site.sql`update public.parks set created_at = now() - interval '25 hours' where id = ${first}`;
    const moderator = await createModerator(site, 'Noa');
    const page = await pageFor(moderator, { language: 'he' });
    await page.setViewportSize({ width: 390, height: 844 });
    // A failed request shows an error and a retry button.
    await page.route('**/rpc/desk_next*', (route) => route.abort());
    await page.goto('/desk');
    const again = main(page).getByRole('button', { name: 'לנסות שוב' });
    await expect(again).toBeVisible();
    await page.unroute('**/rpc/desk_next*');
    await again.click();
    const status = async (id: number | undefined) =>
      (await site.sql<{ status: string }>('select status from public.parks where id = $1', [id]))[0]
        ?.status;
    const tap = async (name: string) => {
      await settled(page);
      const button = main(page).getByRole('button', { name, exact: true });
      // The button is in the lower half of the screen, within reach of the thumb.
      expect((await button.boundingBox())?.y).toBeGreaterThan(422);
      await button.click();
    };
    await expect(item(page)).toContainText(`New corner ${first}`);
    const late = item(page).getByText('מעל 24 שעות');
    await expect(late).toBeVisible();
    // The label of an overdue item is white on red.
    await expect(late).toHaveCSS('color', 'rgb(255, 255, 255)');
    await expect(late.locator('..')).toHaveCSS('background-color', 'rgb(200, 65, 43)');
    // The buttons stay at the bottom of a tall screen, even if the item is short.
    await page.setViewportSize({ width: 390, height: 1600 });
    const skip = main(page).getByRole('button', { name: 'דילוג', exact: true });
    await expect.poll(async () => (await skip.boundingBox())?.y).toBeGreaterThan(1400);
    await page.setViewportSize({ width: 390, height: 844 });
    await tap('דילוג');
    await expect(item(page)).toContainText(`New corner ${second}`);
    await expect(late).toBeHidden();
    await tap('דחייה');
    await main(page)
      .getByRole('button', { name: /כבר על המפה/ })
      .click();
    // The toast is in the upper half of the screen, so it does not cover the buttons.
    const said = page.getByText('נדחה', { exact: true });
    await expect(said).toBeVisible();
    expect((await said.boundingBox())?.y).toBeLessThan(422);
    await expect.poll(() => status(second)).toBe('rejected');
    await expect(item(page)).toContainText(`New corner ${first}`);
    // The rejection form is closed again for the next item, and a decision can be undone only once.
    await expect(main(page).getByRole('button', { name: 'דחייה', expanded: false })).toBeVisible();
    await tap('ביטול');
    await expect.poll(() => status(second)).toBe('pending');
    await expect(main(page).getByRole('button', { name: 'ביטול' })).toBeDisabled();
    // An item that its author has changed is shown again instead of approved.
    await expect(item(page)).toContainText(`New corner ${first}`);
    await site.sql('update public.parks set shade = 9 where id = $1', [first]);
    await tap('אישור');
    await expect(page.getByText('התוכן השתנה בינתיים. בדקו אותו שוב.')).toBeVisible();
    await expect(item(page)).toContainText(/\b9\b/);
    expect(await status(first)).toBe('pending');
    await tap('אישור');
    await expect.poll(() => status(first)).toBe('approved');
    await expect.poll(() => waiting(site)).toBe(1);
  });
});

test('two moderators never get the same item', async ({ site, pageFor }) => {
  await emptyQueue(site);
  await submitParks(site, 2);
  const pages = await Promise.all(
    ['One', 'Two'].map(async (name) => pageFor(await createModerator(site, name))),
  );
  await Promise.all(pages.map((page) => page.goto('/desk')));
  const names = await Promise.all(
    pages.map(async (page) =>
      (
        await item(page)
          .getByText(/New corner/)
          .first()
          .innerText()
      ).trim(),
    ),
  );
  expect(new Set(names).size).toBe(2);
  const [one] = pages as [Page, Page];
  await settled(one);
  await one.keyboard.press('a');
  await expect(main(one)).toContainText('Other moderators have the rest open.');
});

test('a lone moderator opens the desk after setting up the factor, and publishes the own card', async ({
  site,
  pageFor,
}) => {
  await emptyQueue(site);
  await site.sql('delete from public.user_roles');
  await site.sql('delete from private.former_moderators');
  const mo = await site.user('Mo');
  await acceptTerms(mo);
  const dog = await addDog(mo, 'Rexy');
  await mo.client.rpc('report_lost_dog', { p_dog_id: dog, p_lat: 32.1, p_long: 34.8 });
  const [given] = await site.sql<{ code: string }>(
    `select public.desk_set_role($1, 'moderator') as code`,
    [mo.id],
  );
  const page = await pageFor(mo, { at: '/desk' });
  await main(page).getByRole('link', { name: 'Set up the second factor' }).click();
  await unfold(page);
  await page.getByRole('button', { name: 'Turn on' }).click();
  const factor = page.getByRole('dialog', { name: 'Two-step verification' });
  const secret = await factor.locator('code').innerText();
  await factor.getByLabel('Six-digit code').fill(totp(secret));
  await factor.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await navigateTo(page, '/desk');
  await expect(main(page).getByText('Enter the code that an administrator gave you')).toBeVisible();
  await expect(main(page).getByRole('link', { name: 'Set up the second factor' })).toHaveCount(0);
  await main(page)
    .getByLabel('Code from an administrator')
    .fill(given?.code ?? '');
  await main(page).getByRole('button', { name: 'Open the desk' }).click();
  await expect(main(page).getByText('Waiting for another moderator')).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await navigateTo(page, '/about');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Desk' }).click();
  await expect(page).toHaveURL(/\/desk$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await main(page).getByRole('button', { name: 'Publish my lost dog’s card' }).click();
  const dialog = page.getByRole('dialog');
  await site.sql('update auth.mfa_factors set last_step = null where user_id = $1', [mo.id]);
  await dialog.getByLabel('Six-digit code').fill(totp(secret));
  await dialog.getByLabel('Password', { exact: true }).fill(mo.password);
  await dialog.getByRole('button', { name: 'Publish my lost dog’s card' }).click();
  await expect(main(page).getByText('The queue is empty. Well done!')).toBeVisible();
  const { data: cards } = await (await site.user()).client.rpc('lost_dogs');
  expect(cards).toMatchObject([{ name: 'Rexy' }]);
});

test('an administrator decides an import, sanctions a user and sees the state of the site', async ({
  site,
  pageFor,
}) => {
  await emptyQueue(site);
  const parks = await submitParks(site, 3);
  const { contributor } = await fillQueue(site);
  const ada = await createModerator(site, 'Ada', 'administrator');
  const page = await pageFor(ada, { at: '/desk' });
  await settled(page);
  // While the first item is loading, other panels stay open.
  const several = main(page).getByRole('button', { name: 'Several at once' });
  await page.route(
    '**/rpc/desk_next',
    async (route) => {
      await expect(several).toBeVisible();
      await route.continue();
    },
    { times: 1 },
  );
  await main(page).getByRole('combobox', { name: 'Queue' }).selectOption({ label: 'New park 3' });
  await several.click();
  const many = page.getByRole('dialog', { name: 'New park: Several at once' });
  await expect(many).toContainText('The oldest 3');
  await many.getByRole('button', { name: 'Approve' }).click();
  await expect
    .poll(() =>
      site.sql(`select from public.parks where id = any ($1) and status = 'approved'`, [parks]),
    )
    .toHaveLength(3);
  // When no items of the selected type are left, the filter is reset, because items of other types are pending.
  await expect(main(page).getByRole('combobox', { name: 'Queue' })).toHaveValue('all');
  await expect(item(page)).toBeVisible();

  await navigateTo(page, '/desk/users');
  const search = main(page).getByRole('searchbox', { name: 'Name, email or id' });
  await search.fill(contributor.email);
  await search.press('Enter');
  await main(page).getByRole('link', { name: 'Contributor' }).click();
  await expect(item(page)).toContainText('Sells leashes');
  await item(page).getByRole('button', { name: 'What happens?' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('Suspend', { exact: true }).first().click();
  await sheet.getByText('Advertising').click();
  await sheet.getByText('1 week').click();
  await sheet.getByRole('button', { name: 'Suspend' }).click();
  await expect(item(page).getByRole('button', { name: 'Revoke' })).toBeVisible();
  expect(
    await site.sql`select banned_until > now() as banned from auth.users where id = ${contributor.id}`,
  ).toEqual([{ banned: true }]);
  await item(page).getByRole('button', { name: 'Revoke' }).click();
  await expect(item(page)).toContainText('revoked');
  // For a user who lost a device: removing the factor needs the administrator's password and second factor.
  const lost = await withFactor(await site.user('Lost'));
  await page.goto(`/desk/users?user=${lost.id}`);
  await item(page).getByRole('button', { name: 'Remove the second factor' }).click();
  const dialog = page.getByRole('dialog');
  await site.sql('update auth.mfa_factors set last_step = null where user_id = $1', [ada.id]);
  await dialog.getByLabel('Six-digit code').fill(totp(ada.secret));
  await dialog.getByLabel('Password', { exact: true }).fill(ada.password);
  await dialog.getByRole('button', { name: 'Remove the second factor' }).click();
  await expect(dialog).toBeHidden();
  expect(await site.sql('select from auth.mfa_factors where user_id = $1', [lost.id])).toHaveLength(
    0,
  );
  // Only the operator assigns roles.
  const [given] = await site.sql<{ code: string }>(
    `select public.desk_set_role($1, 'moderator') as code`,
    [contributor.id],
  );
  const code = given?.code ?? '';
  // An attacker with the password could enrol a second factor. So the desk opens only after the administrator's code is entered.
  const entered = await pageFor(await withFactor(contributor));
  await entered.goto('/desk');
  const field = main(entered).getByLabel('Code from an administrator');
  const openDesk = main(entered).getByRole('button', { name: 'Open the desk' });
  await field.fill('00000-00000-00000-00000');
  await openDesk.click();
  await expect(field).toHaveAccessibleDescription(/not right/);
  await field.fill(code.toLowerCase());
  await openDesk.click();
  await expect(main(entered).getByRole('link', { name: 'Queue' })).toBeVisible();

  await site.sql(
    `with i as (insert into private.imports (file, added, changed, imported_at) values ('haifa.csv', 3, 1, now() - interval '1 minute'),
       ('jaffa.csv', 0, 1, now()) returning id)
     insert into private.import_changes (import_id, park_id, before, after) select id, 1, '{}', '{}' from i`,
  );
  await site.sql`insert into private.app_errors (type, version, count) values ('TypeError', '1.0.0', 7)`;
  await navigateTo(page, '/desk/site');
  await expect(main(page)).toContainText('The last 30 days');
  await main(page).getByText('Worth knowing').click();
  await expect(main(page).getByText(/^FCM_SERVICE_ACCOUNT is not set/)).toBeVisible();
  await main(page).getByRole('button', { name: 'Send me a test email' }).click();
  await expect(page.getByText('On its way')).toBeVisible();
  await main(page).getByRole('button', { name: 'Back up now' }).click();
  await expect(page.getByText('The backup is being made')).toBeVisible();
  const download = main(page).getByRole('button', { name: 'Download the newest' });
  await download.click();
  await site.sql('update auth.mfa_factors set last_step = null where user_id = $1', [ada.id]);
  await dialog.getByLabel('Passphrase').fill('correct horse battery');
  await dialog.getByLabel('Six-digit code').fill(totp(ada.secret));
  await dialog.getByLabel('Password', { exact: true }).fill(ada.password);
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download the newest' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^packpark-\d{8}-\d{6}\.tar\.gz\.enc$/);
  expect((await readFile(await file.path())).subarray(0, 8).toString()).toBe('Salted__');
  await expect(dialog).toBeHidden();
  await expect(main(page)).toContainText(/TypeError · 1\.0\.0\s*7×/);
  await main(page)
    .getByText(/^Settings: \d+/)
    .click();
  await expect(main(page).getByText('TILE_URL')).toBeVisible();
  // Settings without a value are collapsed into one line.
  const bucket = main(page).getByText('S3_BUCKET');
  await expect(bucket).toBeHidden();
  await main(page)
    .getByText(/^not set up: \d+$/)
    .click();
  await expect(bucket).toBeVisible();
  await navigateTo(page, '/desk/imports');
  const imported = main(page).getByRole('listitem').filter({ hasText: 'haifa.csv' });
  await imported.getByRole('button', { name: 'Undo' }).click();
  const undo = page.getByRole('alertdialog').getByRole('button', { name: 'Undo' });
  await undo.click();
  await expect(page.getByText('A later import changed the same parks')).toBeVisible();
  await site.sql(`delete from private.imports where file = 'jaffa.csv'`);
  await site.sql('delete from private.import_changes');
  await imported.getByRole('button', { name: 'Undo' }).click();
  await undo.click();
  await expect(page.getByText('Removed: 0, as before: 0')).toBeVisible();
  await expect(imported.getByRole('button', { name: 'Undo' })).toBeHidden();
  await navigateTo(page, '/desk/team');
  await expect(main(page)).toContainText('Audit log');
  await expect(main(page)).toContainText('Gave a role · Moderator · Contributor');
  const user = await pageFor(await site.user('User'));
  await user.goto('/desk');
  await expect(main(user)).toContainText('for moderators and administrators');
});

test('an administrator imports a file on a phone, confirms what looks odd, and undoes it', async ({
  site,
  pageFor,
}) => {
  const page = await pageFor(await createModerator(site, 'Ina', 'administrator'));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/desk/site');
  await main(page).getByRole('link', { name: 'Import parks' }).click();
  const choose = (rows: string, columns = 'name,id,lat,long,bench') =>
    main(page)
      .getByLabel('File with parks')
      .setInputFiles({
        name: 'haifa.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`${columns}\n${rows}`),
      });
  const click = (name: string) => main(page).getByRole('button', { name, exact: true }).click();
  const count = (outcome: string) =>
    main(page)
      .getByRole('definition')
      .and(main(page).locator(`dt:text-is("${outcome}") + dd`));

  await click('Import');
  await expect(main(page).getByLabel('File with parks')).toHaveAccessibleDescription(
    'Please choose a file.',
  );
  await choose('Oak,1,32.811,34.981,yes\nElm,2,32.812,34.982,perhaps\nAsh,3,x,34.98,yes');
  await click('Import');
  await expect(count('Rejected')).toHaveText('3');
  await main(page).getByText('Rejected: 3').click();
  await expect(main(page).getByText(/^Expected: degrees from .-90. to .90.$/)).toBeVisible();

  await main(page).getByLabel('Source').fill('Haifa');
  await main(page).getByLabel('Licence').fill('CC0');
  await main(page).getByLabel('City').fill('Haifa');
  await click('Preview');
  const title = (text: string) => main(page).getByRole('heading', { name: text });
  await expect(title('Preview: nothing was changed')).toBeFocused();
  await expect(count('New')).toHaveText('2');
  await expect(main(page).locator('circle[data-outcome="new"]')).toHaveCount(2);
  await main(page).getByText('Values that were not understood: 1').click();
  await expect(main(page).getByText('perhaps')).toBeVisible();
  await main(page).getByRole('application').press('Enter');
  await expect(main(page).getByText(/^Row \d: .(Oak|Elm)/)).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  expect(await widthFindings(page)).toEqual([]);

  // The file passes all plausibility checks, so the import needs no confirmation.
  await click('Import');
  await expect(title('Imported')).toBeFocused();

  // In the new file, ID 2 is a different park elsewhere, and another park is abroad, so the import needs confirmation.
  await choose('Oak,1,32.811,34.981,yes\nFig,2,32.92,34.99,yes\nParis,4,48.85,2.35,yes');
  await click('Import');
  await expect(title('Please check: nothing was changed yet')).toBeFocused();
  await expect(main(page).getByText('Parks outside IL: 1 of 3')).toBeVisible();
  await click('Import anyway');
  await expect(title('Imported')).toBeFocused();
  await expect(count('To be decided')).toHaveText('1');
  await main(page)
    .getByLabel(/^Row 2: .Fig/)
    .selectOption('It is another park');
  await click('Import with these decisions');
  await expect(count('To be decided')).toHaveText('0');
  await click('Undo this import');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Removed: 1, as before: 1, left alone: 0')).toBeVisible();

  await choose('Oak,red', 'name,colour');
  await click('Import');
  await expect(main(page).getByRole('alert')).toContainText('colour');
});
