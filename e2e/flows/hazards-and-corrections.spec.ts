// Hazards that need two users, one question per visit, and corrections of parks: a name, a position, a photo, a duplicate.
import type { Page } from '@playwright/test';
import type { TestUser, Site } from '../support/test.ts';
import {
  acceptTerms,
  checkIn,
  contributePhoto,
  makeRegulars,
  ownPark,
  reservePark,
  writeReview,
} from '../support/fixtures.ts';
import { keyboardOf } from '../support/keyboard-driver.ts';
import { navigateTo } from '../support/navigation.ts';
import { expect, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** A user with visits on two earlier days. */
async function regularAt(site: Site, park: number, name: string): Promise<TestUser> {
  const user = await site.user(name);
  await acceptTerms(user);
  await makeRegulars(site, park, user);
  return user;
}

test('a hazard is reported, verified by another user, and notified', async ({ site, pageFor }) => {
  const park = await reservePark(site);
  const [ann, bob, fan] = [
    await regularAt(site, park.id, 'Ann'),
    await site.user('Bob'),
    await site.user('Fan'),
  ];
  for (const user of [bob, fan]) await acceptTerms(user);
  for (const { client } of [ann, bob])
    await client.rpc('check_in', {
      p_park_id: park.id,
      p_location: { lat: park.lat, long: park.long },
    });
  await fan.client.from('favourite_parks').insert({ park_id: park.id });

  // A user who is checked in can report a hazard from any screen.
  const anns = await pageFor(ann, { at: '/about' });
  await anns.clock.install();
  const report = async (hazard: string) => {
    await anns.getByRole('button', { name: 'Report a problem here' }).click();
    await anns.getByRole('dialog').getByRole('button', { name: hazard }).click();
    await expect(anns.getByText('Thanks for sharing! Others can see it now.')).toBeVisible();
  };
  await report('Ticks');
  await anns.getByRole('button', { name: 'Undo', exact: true }).click();
  await report('Poison bait');
  // Leaving the app sends the report, so it can no longer be undone.
  await anns.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  // The undo button disappears when its time is over, even while the pointer is on it.
  const undo = anns.getByRole('button', { name: 'Undo', exact: true });
  await undo.hover();
  await undo.focus();
  await anns.clock.fastForward(10_000);
  await expect(undo).toBeHidden();

  const bobs = await pageFor(bob, { at: `/parks/${park.id}/` });
  const hazards = bobs.getByRole('list', { name: 'Hazards now' });
  await expect(hazards).toContainText('not confirmed yet');
  await expect(hazards).not.toContainText('Ticks');
  await hazards.getByRole('button', { name: 'Still there' }).click();
  await expect(hazards).toContainText('confirmed once');
  await hazards.getByRole('button', { name: 'I already told the city' }).click();
  await expect(hazards).toContainText('Reported to the city');

  const fans = await pageFor(fan, { at: '/notifications' });
  await expect(fans.getByText('Take care at the dog park')).toBeVisible();
  await fans.getByRole('button', { name: /poison bait reported/ }).click();
  await expect(fans.getByRole('list', { name: 'Hazards now' })).toContainText('Poison bait');
  // Instructions and the number to call.
  await expect(fans.getByText('go to a vet right away')).toBeVisible();
  await expect(fans.getByRole('link', { name: 'City hotline 106' })).toHaveAttribute(
    'href',
    'tel:106',
  );
  await expect(fans.getByText('Better not now')).toBeVisible();
  await expect(fans.getByText('Nothing else is reported.')).toBeVisible();
  // One vote by a user who is not there does not end the hazard, and the user sees why.
  await fans.getByRole('button', { name: 'It is gone' }).click();
  await expect(fans.getByText('It will clear once others at the park say so too.')).toBeVisible();
});

test('after five minutes at a park, the user is asked one question, once', async ({
  site,
  pageFor,
}) => {
  const park = await reservePark(site);
  await site.sql`update public.parks set facts = '{}', fact_sources = '{}' where id = ${park.id}`;
  const [ann, bob] = [await regularAt(site, park.id, 'Ann'), await site.user('Bob')];
  await ann.client.rpc('check_in', { p_park_id: park.id });
  const { data: asked } = await ann.client.rpc('park_question');
  await ann.client.rpc('respond_to_park_question', {
    p_check_in_id: (asked as { check_in_id: string }).check_in_id,
    p_value: 'yes',
  });

  const page = await pageFor(bob);
  await page.clock.install();
  let questions = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/rpc/park_question')) questions += 1;
  });
  await page.goto(`/parks/${park.id}/`);
  await checkIn(page);
  const question = page.getByRole('region', { name: 'A question about this park' });
  // The question does not interrupt the arrival animation: for almost five minutes the app does not even request it.
  await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
  await page.clock.runFor('04:30');
  await expect(question).toHaveCount(0);
  expect(questions).toBe(0);
  // In one jump, because running the clock would trigger the request's timeout.
  await page.clock.fastForward('02:00');
  await expect(question).toContainText('You’re here: is it fenced all around?');
  // The question covers no other screen.
  await navigateTo(page, '/meetings');
  await expect(page.getByRole('heading', { name: 'Meetings' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
  await expect(question).toHaveCount(0);
  await page.goBack();
  await question.getByRole('button', { name: 'Yes' }).click();
  // Before the first fact, the user accepts the data licence.
  const rules = page.getByRole('dialog', { name: 'Our park rules' });
  await expect(rules.getByRole('link', { name: 'ODbL' })).toBeVisible();
  await rules.getByRole('button', { name: 'Agree' }).click();
  await expect(page.getByText('Thanks! That helps the next dog owner.')).toBeVisible();
  await expect(question).toHaveCount(0);
  await expect
    .poll(
      () =>
        site.sql`select facts, fact_sources -> ${'fenced'} ->> 0 as source from parks where id = ${park.id}`,
    )
    .toEqual([{ facts: { fenced: 'yes' }, source: 'community' }]);

  const again = page.waitForResponse('**/rpc/park_question');
  await page.reload();
  expect(await (await again).json()).toBeNull();
  await expect(page.getByRole('region', { name: 'You are here' })).toBeVisible();
  await expect(question).toHaveCount(0);
});

test('by keyboard only: a name and a position are corrected', async ({ site, pageFor }) => {
  const user = await site.user();
  await acceptTerms(user);
  const park = await ownPark(site, 'Mistaken Park');
  site.external.places = [
    {
      display_name: 'Right place',
      lat: '32.5011',
      lon: '34.9522',
      address: { road: 'Right', city: 'Hadera' },
    },
  ];
  const page = await pageFor(user, { at: `/parks/${park}/` });
  const keys = keyboardOf(page);
  await keys.press(page.getByRole('button', { name: 'Add missing details' }));
  await keys.focuses('heading What is missing or wrong?');
  const sheet = page.getByRole('dialog');
  // The sheet first shows only the fields for unknown details.
  await expect(sheet.getByRole('radio', { name: 'Details' })).toHaveCount(0);
  await keys.press(sheet.getByRole('button', { name: 'Suggest a correction' }));
  await keys.press(sheet.getByRole('radio', { name: 'Details' }), 'ArrowRight');
  await keys.focuses('radio Name and address');
  await keys.type(sheet.getByRole('textbox', { name: /עברית/ }), 'גינת החוף');
  await keys.type(sheet.getByRole('textbox', { name: /English/ }), 'Shore Park');
  await keys.press(sheet.getByRole('radio', { name: 'Name and address' }), 'ArrowRight');
  await keys.type(sheet.getByRole('combobox', { name: 'Search for an address' }), 'Right place');
  const answered = page.waitForResponse(
    async (response) =>
      response.url().includes('/geocode') && (await response.text()).includes('32.5011'),
  );
  await page.keyboard.press('Enter');
  await answered;
  await keys.announces('The pin is set.');
  await keys.press(sheet.getByRole('button', { name: 'Send' }));
  await keys.announces('It shows once it is checked.');
  await keys.focuses('button Add missing details');
  expect(keys.findings).toEqual([]);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mistaken Park');

  const [pending] = await site.sql<{ id: string; before: object; after: object }>(
    `select id, context -> 'before' as before, context -> 'after' as after from private.desk_corrections where park_id = $1`,
    [park],
  );
  expect(pending?.before).toMatchObject({
    'name.en': 'Mistaken Park',
    place: { lat: 32.5, long: 34.95 },
  });
  expect(pending?.after).toEqual({
    'name.en': 'Shore Park',
    'name.he': 'גינת החוף',
    place: { lat: 32.5011, long: 34.9522 },
  });
  // The author sees the decision and is notified.
  const mine = page
    .getByRole('region', { name: 'What you added' })
    .getByRole('listitem')
    .filter({ hasText: 'Correction' });
  await page.goto(`/profile/${user.id}/info`);
  await expect(mine).toContainText('Mistaken Park');
  await expect(mine).toContainText('Being checked');
  await site.sql(`select public.desk_decide('correction', $1, true)`, [pending?.id]);
  await page.reload();
  await expect(mine).toContainText('Shore Park');
  await expect(mine).toContainText('Accepted');
  await page.goto('/notifications');
  await expect(page.getByText(/Shore Park/)).toBeVisible();
  await page.goto(`/parks/${park}/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shore Park');
});

test('the first photo becomes the park’s main photo, is reported and removed', async ({
  site,
  pageFor,
}) => {
  const [contributor, other] = [await site.user('Contributor'), await site.user('Other')];
  await acceptTerms(contributor);
  const park = await ownPark(site, 'Photographed Park');
  const approve = (path: string) =>
    site.sql(`select public.desk_decide('photo', $1, true)`, [path]);
  const [path, ofHazard] = [
    await contributePhoto(contributor, park),
    await contributePhoto(contributor, park),
  ];
  const { data: hazard } = await contributor.client.rpc('report_hazard', {
    p_park_id: park,
    p_hazard: 'glass',
  });
  await contributor.client.rpc('add_hazard_photo', { p_report_id: hazard ?? '', p_path: ofHazard });
  await approve(ofHazard);
  await approve(path);
  const primary = async () =>
    (
      await site.sql<{ primary_photo: string | null }>(
        'select primary_photo from public.parks where id = $1',
        [park],
      )
    )[0]?.primary_photo;
  await expect.poll(primary).toBe(path);
  const inLarge = async (page: Page) => {
    await page.goto(`/parks/${park}/`);
    await page.getByRole('button', { name: 'Enlarge photo 1 of 1' }).click();
  };

  const others = await pageFor(other);
  await inLarge(others);
  await expect(others.getByRole('button', { name: 'Remove my photo' })).toHaveCount(0);
  await others.getByRole('button', { name: 'Report this photo' }).click();
  const report = others.getByRole('dialog', { name: 'Report this photo' });
  await report.getByRole('button', { name: 'Send report' }).click();
  await expect(report.getByText('Choose a reason')).toBeVisible();
  await report.getByText('Inappropriate').click();
  await report.getByRole('button', { name: 'Send report' }).click();
  await expect(others.getByText('Thank you. We will look at it.')).toBeVisible();
  // A hazard's photo is shown with the hazard, not in the gallery, and can be reported in the same way.
  await others.goto(`/parks/${park}/`);
  await others.getByRole('button', { name: 'Photo: Broken glass' }).click();
  await others
    .getByRole('dialog', { name: 'Photo: Broken glass' })
    .getByRole('button', { name: 'Report this photo' })
    .click();
  await expect(others.getByRole('dialog', { name: 'Report this photo' })).toBeVisible();
  expect(
    await site.sql`select context #>> '{photo,path}' as path from private.desk_photo_reports where park_id = ${park}`,
  ).toEqual([{ path }]);

  const contributors = await pageFor(contributor);
  await inLarge(contributors);
  await expect(contributors.getByRole('button', { name: 'Report this photo' })).toHaveCount(0);
  await contributors.getByRole('button', { name: 'Remove my photo' }).click();
  await contributors
    .getByRole('alertdialog', { name: 'Remove my photo' })
    .getByRole('button', { name: 'Remove my photo' })
    .click();
  await expect(contributors.getByText('No photos yet.')).toBeVisible();
  await expect.poll(primary).toBeNull();
  expect((await fetch(`${site.url}/storage/v1/object/public/parks/${path}`)).ok).toBe(false);
});

test('two parks are merged, and the old URL redirects', async ({ site, pageFor }) => {
  const user = await site.user();
  await acceptTerms(user);
  const [from, into] = [await ownPark(site, 'Old Name'), await ownPark(site, 'True Name')];
  for (const [park, title] of [
    [into, 'The first time'],
    [from, 'The second time'],
  ] as const)
    await writeReview(user, park, title, 4);
  await user.client.from('favourite_parks').insert({ park_id: from });
  await site.sql('select private.merge_parks($1, $2)', [from, into]);

  const page = await pageFor(user, { at: `/parks/${from}/` });
  await expect(page).toHaveURL(new RegExp(`/parks/${into}/?$`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('True Name');
  await page.getByRole('link', { name: 'Reviews' }).click();
  await expect(page.getByText('The second time')).toBeVisible();
  await expect(page.getByText('The first time')).toHaveCount(0);
  await page.goto(`/share/parks/${from}`);
  await expect(page).toHaveURL(new RegExp(`/share/parks/${into}$`));
});

test('a closed park shows that it is closed, suggests others, and keeps its reviews', async ({
  site,
  pageFor,
}) => {
  const [writer, reader] = [await site.user('Writer'), await site.user('Reader')];
  await acceptTerms(writer);
  const near = await reservePark(site);
  const closed = await ownPark(site, 'Gone Garden');
  await site.sql`update public.parks set lat = ${near.lat + 0.001}, long = ${near.long} where id = ${closed}`;
  await writeReview(writer, closed, 'A fine one', 5);
  // A user who had the page open returns to it.
  const page = await pageFor(writer, { at: `/parks/${closed}/` });
  await expect(page.getByRole('button', { name: 'Check in here' })).toBeVisible();
  await site.sql(`select private.close_park($1, 'closed')`, [closed]);
  for (const shown of [page, await pageFor(reader, { language: 'he' })]) {
    const t = texts(shown === page ? 'en' : 'he');
    await shown.context().setGeolocation({ latitude: 31.25, longitude: 34.79 });
    await shown.goto(`/parks/${closed}/`);
    await expect(shown.getByRole('heading', { level: 1 })).toHaveText('Gone Garden');
    await expect(shown.getByText(t('parks.removed.closed'))).toBeVisible();
    await expect(shown.getByRole('button', { name: t('checkIns.button') })).toHaveCount(0);
    const reviews = shown.getByRole('region', { name: t('ui.reviews') });
    await expect(reviews).toContainText('A fine one');
    await expect(reviews.getByRole('button', { name: t('reviews.form.newTitle') })).toHaveCount(0);
    const nearest = shown.getByRole('region', { name: t('ui.parksAround') }).getByRole('listitem');
    // The nearest parks are shown with their distance from the user.
    await expect(nearest.first()).toContainText(/\d\s(km|ק״מ)/);
    await nearest.first().getByRole('link').click();
    await expect(shown).toHaveURL(new RegExp(`/parks/${near.id}/?$`));
  }
});
