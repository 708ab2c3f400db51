// Two users meet by QR codes: a keeper joins and takes over a dog, and a friend code sends a request.
import type { Page } from '@playwright/test';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { expectAccessible } from '../support/accessible.ts';
import { addDog, reservePark } from '../support/fixtures.ts';
import { keyboardOf } from '../support/keyboard-driver.ts';
import { expect, shortenPolling, test } from '../support/test.ts';

/** Decodes the QR code like a phone's camera. */
async function linkOf(page: Page): Promise<string> {
  const code = page.getByRole('img', { name: 'QR code of the link' });
  await code.scrollIntoViewIfNeeded();
  const { data, info } = await sharp(await code.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data ?? '';
}

test('by keyboard only: a keeper joins by a link, takes the dog to a park, and becomes its owner', async ({
  site,
  page: bens,
  pageFor,
}) => {
  const [ann, ben] = [await site.user(), await site.user()];
  const dog = await addDog(ann, 'Pita');
  const { id: park } = await reservePark(site);
  const anns = await pageFor(ann);
  const [annsKeys, bensKeys] = [keyboardOf(anns), keyboardOf(bens)];
  await shortenPolling(anns);
  await anns.goto(`/profile/${ann.id}/dogs/${dog}`);
  await annsKeys.press(anns.getByRole('button', { name: 'This dog’s people' }));
  await annsKeys.press(anns.getByRole('button', { name: 'Make a link' }));
  await annsKeys.announces('For one person, for 24 hours.');
  await annsKeys.focuses('button Copy link');
  const link = await linkOf(anns);
  await expectAccessible(anns);
  expect(link).toMatch(`${site.url}/dog-invites/`);

  // After logging in, a visitor returns to the link.
  await bens.goto(link);
  await bensKeys.press(bens.getByRole('main').getByRole('link', { name: 'Log in', exact: true }));
  await bensKeys.type(bens.getByLabel('Email'), ben.email);
  await bensKeys.type(bens.getByLabel('Password', { exact: true }), ben.password);
  await bens.keyboard.press('Enter');
  await bensKeys.press(bens.getByRole('button', { name: `Ask ${ann.name} to confirm` }));
  await bensKeys.announces('You will get a notification');
  await bensKeys.focuses('heading Care for a dog');
  await expectAccessible(bens);

  await expect(anns.getByRole('button', { name: 'Confirm' })).toBeVisible();
  await anns.goto('/notifications');
  await annsKeys.press(anns.getByRole('button', { name: /asks to join/ }));
  await expect(anns).toHaveURL(`/profile/${ann.id}/dogs/${dog}`);
  await annsKeys.press(anns.getByRole('button', { name: 'This dog’s people' }));
  await annsKeys.press(anns.getByRole('button', { name: 'Confirm' }));
  await expect(anns.getByRole('button', { name: `Remove: ${ben.name}` })).toBeVisible();
  await annsKeys.focuses(`button Remove: ${ben.name}`);
  await annsKeys.announces(`Keeper: ${ben.name}`);

  await bens.goto(`/parks/${park}/`);
  await bensKeys.press(bens.getByRole('button', { name: 'Check in here' }));
  await expect(bens.getByRole('checkbox', { name: 'Pita' })).toBeChecked();
  await bensKeys.press(
    bens.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }),
  );
  await expect(bens.getByRole('region', { name: 'You are here' })).toBeVisible();

  await bens.goto(`/profile/${ben.id}/dogs`);
  await bensKeys.press(bens.getByRole('link', { name: 'Pita' }));
  await expect(bens.getByRole('button', { name: 'Edit' })).toBeVisible();
  await expect(bens.getByRole('button', { name: 'Remove', exact: true })).toBeHidden();
  await bensKeys.press(bens.getByRole('button', { name: 'This dog’s people' }));
  await bensKeys.press(bens.getByRole('switch', { name: 'I can take over Pita' }), 'Space');
  await expect(bens.getByText('Keeper, would take over')).toBeVisible();

  await anns.reload();
  await annsKeys.press(anns.getByRole('button', { name: 'Hand over' }));
  await annsKeys.press(
    anns
      .getByRole('alertdialog', { name: `Hand over to ${ben.name}?` })
      .getByRole('button', { name: 'Hand over' }),
  );
  await annsKeys.announces(`${ben.name} is the owner now`);
  await annsKeys.focuses('heading This dog’s people');
  await annsKeys.press(anns.getByRole('button', { name: 'Leave Pita' }));
  await annsKeys.press(
    anns
      .getByRole('alertdialog', { name: 'Leave Pita?' })
      .getByRole('button', { name: 'Leave Pita' }),
  );
  await expect(anns).toHaveURL(`/profile/${ann.id}/dogs`);
  await expect(anns.getByText('No dogs yet')).toBeVisible();
  await annsKeys.focuses(`heading ${ann.name}`);

  // The new owner invites the former one as a walker.
  await bens.reload();
  await bensKeys.to(bens.getByRole('radio', { name: 'Keeper' }));
  await bens.keyboard.press('ArrowRight');
  await bensKeys.press(bens.getByRole('button', { name: 'Make a link' }));
  await anns.goto(await linkOf(bens));
  await expect(anns.getByText(`${ben.name} invites you to walk Pita until`)).toBeVisible();
  const { data: owned } = await ben.client.from('dogs').select('name').eq('owner', ben.id);
  expect(owned).toEqual([{ name: 'Pita' }]);
  expect([...annsKeys.findings, ...bensKeys.findings]).toEqual([]);
});

test('a scanned friend code shows the dog, survives the login on that phone, and sends one request', async ({
  site,
  page: bens,
  pageFor,
}) => {
  const [ann, ben] = [await site.user(), await site.user()];
  const dog = await addDog(ann, 'Luna');
  const anns = await pageFor(ann, { at: `/profile/${ann.id}/dogs` });
  await anns.getByRole('button', { name: 'Meet Luna' }).click();
  const link = await linkOf(anns);
  expect(link).toMatch(`${site.url}/meet/`);
  await expectAccessible(anns);

  // A link preview requests the URL without running the page's script.
  expect((await bens.request.get(link)).status()).toBe(200);
  await bens.goto(link);
  await expect(bens.getByRole('heading', { name: 'Meet Luna' })).toBeVisible();
  expect(await bens.content()).not.toMatch(new RegExp(`${ann.name}|${ann.id}|${dog}`));
  await expectAccessible(bens);
  const over = (page: Page) =>
    expect(page.getByRole('main').getByText('This code no longer works')).toBeVisible();
  const others = await pageFor(await site.user(), { at: link });
  await expect(others.getByRole('button', { name: 'Add friend' })).toBeVisible();

  const kept = bens.waitForResponse('**/rpc/scan_friend_code');
  await bens.getByRole('main').getByRole('link', { name: 'Log in', exact: true }).click();
  await kept;
  await others.reload();
  await over(others);
  await bens.getByLabel('Email').fill(ben.email);
  await bens.getByLabel('Password', { exact: true }).fill(ben.password);
  await bens.keyboard.press('Enter');
  await expect(bens.getByText(`This is ${ann.name}’s code.`)).toBeVisible();
  await bens.getByRole('button', { name: 'Add friend' }).click();
  await expect(bens.getByRole('main')).toContainText(
    `We will let you know when ${ann.name} accepts.`,
  );
  await bens.reload();
  await over(bens);

  await anns.goto(`/profile/${ann.id}/friends`);
  await anns.getByRole('button', { name: `Accept: ${ben.name}` }).click();
  await expect(anns.getByRole('button', { name: `Unfriend ${ben.name}` })).toBeVisible();

  await anns.goto(`/profile/${ann.id}/dogs/${dog}`);
  await anns.getByRole('button', { name: 'Meet Luna' }).click();
  await anns.getByRole('button', { name: 'Cancel the code' }).click();
  await expect(anns.getByRole('dialog')).toContainText('This code no longer works.');
  await anns.getByRole('button', { name: 'New code' }).click();
  await expect(anns.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
});
