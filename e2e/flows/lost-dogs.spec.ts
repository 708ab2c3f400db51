// A dog gets lost: its owner reports it, another user sees it, and a finder without an account scans its tag.
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { acceptTerms, addDog, befriend, makeRegulars, pictureFile } from '../support/fixtures.ts';
import { keyboardOf } from '../support/keyboard-driver.ts';
import { expect, test } from '../support/test.ts';

test.use({ allowedErrors: [/Failed to load resource/] });

test('by keyboard only: a lost dog is on the map, seen, written about by a finder, and found', async ({
  site,
  pageFor,
  page: findersPage,
}) => {
  const [ann, ben] = [await site.user(), await site.user()];
  for (const user of [ann, ben]) await acceptTerms(user);
  await makeRegulars(site, 1, ann);
  const name = `Rex ${ann.name.slice(-4).replaceAll(/\d/g, 'x')}`;
  const dog = await addDog(ann, name);
  const [annsPage, bensPage] = [await pageFor(ann), await pageFor(ben)];
  const [anns, bens] = [keyboardOf(annsPage), keyboardOf(bensPage)];
  const finders = keyboardOf(findersPage);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  await annsPage.goto(`/profile/${ann.id}/dogs/${dog}`);
  await anns.press(button(annsPage, 'Tag for the collar'));
  await anns.focuses(`heading Tag for ${name}`);
  const tag = await annsPage.getByRole('dialog').getByText('/tag/').textContent();
  const saved = annsPage.waitForEvent('download');
  await anns.press(button(annsPage, 'Save the code'));
  expect((await saved).suggestedFilename()).toBe(`${name}.svg`);
  await annsPage.keyboard.press('Escape');
  await anns.focuses('button Tag for the collar');
  await findersPage.goto(String(tag));
  await expect(findersPage.getByText('Nobody is looking for a dog with this tag')).toBeVisible();

  await anns.press(button(annsPage, 'My dog is lost'));
  await anns.focuses('heading My dog is lost');
  await anns.announces('The pin is set');
  await anns.press(button(annsPage, 'Alert people nearby'));
  await anns.announces(/People nearby see the card until/);
  await anns.focuses('button Tag for the collar');

  // A notification links to the card.
  const [lost] = await site.sql<{
    id: string;
  }>`select id from private.lost_dogs where dog_id = ${dog}`;
  await bensPage.goto(`/?lost=${lost?.id}`);
  const card = bensPage.getByRole('listitem').filter({ hasText: name });
  await bens.focuses('heading Lost dogs near here');
  await expectAccessible(bensPage);
  await bens.press(card.getByRole('button', { name: 'I saw it' }));
  await bens.focuses(`heading Where did you see ${name}?`);
  await expectAccessible(bensPage);
  await bens.announces('The pin is set');
  const chooser = bensPage.waitForEvent('filechooser');
  await bens.press(button(bensPage, 'Add a photo'));
  await (await chooser).setFiles(await pictureFile());
  await bens.focuses('button Photo chosen. Another one?');
  // The photo is not stored on the device, so the browser prompts before leaving the page.
  const leave = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await expect.poll(() => bensPage.evaluate(leave)).toBe(false);
  await bens.press(button(bensPage, 'Send'));
  await bens.announces('The dog’s people have been notified.');
  await bens.focuses('heading Dog parks on the map');
  // A card that the user has closed stays closed after going back.
  await bens.press(bensPage.getByRole('link', { name: 'Parks', exact: true }).first());
  await bensPage.goBack();
  await expect(button(bensPage, 'Lost dogs near here')).toBeVisible();
  await expect(card).toBeHidden();
  // The button shows the same avatar as the list.
  await expect(button(bensPage, `${name} is lost`).locator('svg')).toBeVisible();

  await findersPage.reload();
  await expect(findersPage.getByRole('heading', { name: `${name} is lost` })).toBeVisible();
  const words = findersPage.getByLabel('Your message');
  await finders.type(words, 'It sits at the fountain.');
  await findersPage.reload();
  await expect(words).toHaveValue('It sits at the fountain.');
  await finders.press(button(findersPage, 'Send'));
  await finders.announces(`${name}’s people have been notified`);
  await finders.focuses('link To the map');

  await annsPage.reload();
  const seen = annsPage.getByRole('list', { name: 'Where it was seen' });
  await expect(seen.getByText('It sits at the fountain.')).toBeVisible();
  await expect(seen.getByRole('link', { name: 'Show on the map' })).toBeVisible();
  await expect(seen.getByRole('img', { name: 'A photo from somebody who saw it' })).toBeVisible();
  await anns.press(button(annsPage, 'Found!'));
  await anns.announces(`Everyone who helped ${name} has been notified`);
  await anns.focuses('button My dog is lost');
  await bensPage.goto('/notifications');
  await expect(bensPage.getByText(/is home again/)).toBeVisible();
  await bensPage.goto(`/?lost=${lost?.id}`);
  await bens.announces('This dog is no longer lost');
  expect([anns, bens, finders].flatMap(({ findings }) => findings)).toEqual([]);
});

test('a new account alerts friends in two taps; a finder leaves a number and reads the answer', async ({
  site,
  pageFor,
  page: finder,
}) => {
  const [ann, friend] = [await site.user('Ann'), await site.user('Friend')];
  await befriend(ann, friend);
  const dog = await addDog(ann, 'Rexy');
  await site.sql`update private.user_consents set age_confirmed_at = null where user_id = ${ann.id}`;
  const page = await pageFor(ann, { at: `/profile/${ann.id}/dogs/${dog}` });
  await page.getByRole('button', { name: 'My dog is lost' }).click();
  const sheet = page.getByRole('dialog', { name: 'My dog is lost' });
  await expect(sheet.getByText('The pin is set')).toBeAttached();
  await expect(sheet.getByText('By sending, you accept the park rules')).toBeVisible();
  await expectAccessible(page);
  await sheet.getByRole('checkbox').check();
  await sheet.getByRole('button', { name: 'Alert people nearby' }).click();
  await expect(
    page.getByText('Your friends and the dog’s keepers are alerted').first(),
  ).toBeVisible();
  expect(
    await site.sql`select terms_accepted_at is not null as terms, licence_agreed_at is not null as licence,
      age_confirmed_at is not null as age from private.user_consents where user_id = ${ann.id}`,
  ).toEqual([{ terms: true, licence: false, age: true }]);
  const friends = await pageFor(friend, { at: '/notifications' });
  await expect(friends.getByText(/Rexy/)).toBeVisible();

  const { data: code } = await ann.client.rpc('dog_tag', { p_dog_id: dog });
  await finder.goto(`/tag/${code}`);
  const phone = finder.getByLabel('Your phone number');
  await expect(phone).toHaveAccessibleDescription(/Only Rexy’s owner and keepers/);
  await phone.fill('050');
  await finder.getByRole('button', { name: 'Send' }).click();
  await expect(phone).toHaveAccessibleDescription('Please check the phone number');
  await expect(phone).toBeFocused();
  await phone.fill('050 123 4567');
  await expectAccessible(finder);
  await finder.getByRole('button', { name: 'Send' }).click();
  await expect(finder.getByText('If they answer, you can read it here')).toBeVisible();
  await page.reload();
  const seen = page.getByRole('list', { name: 'Where it was seen' });
  await expect(seen.getByRole('link', { name: '050 123 4567' })).toHaveAttribute(
    'href',
    'tel:0501234567',
  );
  await seen.getByLabel('Answer').fill('On my way!');
  await expectAccessible(page);
  await seen.getByRole('button', { name: 'Send answer' }).click();
  await expect(seen.getByText('Your answer: On my way!')).toBeVisible();
  await finder.reload();
  await expect(finder.getByText('On my way!').first()).toBeVisible();
  // Another browser with the same tag gets the form, not the answer.
  await friends.goto(`/tag/${code}`);
  await expect(friends.getByLabel('Your message')).toBeVisible();
  await expect(friends.getByText('On my way!')).toBeHidden();
  // A logout clears the secret with which the browser reads its answer.
  await friends.getByLabel('Your message').fill('Seen it');
  await friends.getByRole('button', { name: 'Send' }).click();
  await expect(friends.getByText('If they answer, you can read it here')).toBeVisible();
  await friends.getByRole('button', { name: 'More', exact: true }).click();
  await friends.getByRole('button', { name: 'Log out' }).click();
  await expect(friends.getByText('You are logged out')).toBeVisible();
  await friends.goto(`/tag/${code}`);
  await expect(friends.getByLabel('Your message')).toBeVisible();
  // When the dog is lost again, the finder can send another message.
  await ann.client.rpc('found_dog', { p_dog_id: dog });
  await finder.reload();
  await expect(finder.getByText('Nobody is looking for a dog with this tag')).toBeVisible();
  await ann.client.rpc('report_lost_dog', { p_dog_id: dog, p_lat: 32.1, p_long: 34.8 });
  await finder.reload();
  await finder.getByLabel('Your message').fill('Here again');
  await finder.getByRole('button', { name: 'Send' }).click();
  await expect(finder.getByText('If they answer, you can read it here')).toBeVisible();
});
