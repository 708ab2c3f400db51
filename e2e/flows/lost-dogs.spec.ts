// A dog gets lost: its owner reports it, another user sees it, and a finder without an account scans its tag.
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { acceptTerms, addDog, makeRegulars, pictureFile } from '../support/fixtures.ts';
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
  // Wait for the address search, because its code loads after the sheet and it cannot take focus earlier.
  await expect(annsPage.getByRole('combobox', { name: 'Search for an address' })).toBeVisible();
  await anns.press(button(annsPage, 'Alert people nearby'));
  await anns.focuses('combobox Search for an address');
  await anns.press(button(annsPage, 'My location'));
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
  await bens.press(button(bensPage, 'My location'));
  const chooser = bensPage.waitForEvent('filechooser');
  await bens.press(button(bensPage, 'Add a photo'));
  await (await chooser).setFiles(await pictureFile());
  await bens.focuses('button Photo chosen. Another one?');
  // The photo is not stored on the device, so the browser prompts before leaving the page.
  const leave = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await expect.poll(() => bensPage.evaluate(leave)).toBe(false);
  await bens.press(button(bensPage, 'Send'));
  await bens.announces('The dog’s people have been told.');
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
  await finders.announces(`The people of ${name} have been told`);
  await finders.focuses('link To the map');

  await annsPage.reload();
  const seen = annsPage.getByRole('list', { name: 'Where it was seen' });
  await expect(seen.getByText('It sits at the fountain.')).toBeVisible();
  await expect(seen.getByRole('link', { name: 'Show on the map' })).toBeVisible();
  await expect(seen.getByRole('img', { name: 'A photo from somebody who saw it' })).toBeVisible();
  await anns.press(button(annsPage, 'Found!'));
  await anns.announces(`Everyone who helped ${name} has been told`);
  await anns.focuses('button My dog is lost');
  await bensPage.goto('/notifications');
  await expect(bensPage.getByText(/is home again/)).toBeVisible();
  await bensPage.goto(`/?lost=${lost?.id}`);
  await bens.announces('This dog is no longer lost');
  expect([anns, bens, finders].flatMap(({ findings }) => findings)).toEqual([]);
});
