// One dog, two people: the link as a QR code, the owner's word, a check-in with it, and its way to another owner.
import type { Page } from '@playwright/test';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { expectAccessible } from '../support/accessible.ts';
import { addDog, reservePark } from '../support/fixtures.ts';
import { fillLogin } from '../support/login-driver.ts';
import { expect, shortenPolling, test } from '../support/test.ts';

/** What a phone's camera reads from the code. */
async function linkOf(page: Page): Promise<string> {
  const code = page.getByRole('img', { name: 'QR code of the link' });
  await code.scrollIntoViewIfNeeded();
  const { data, info } = await sharp(await code.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data ?? '';
}

test('a keeper comes by a link, takes the dog to a park, and has it handed over', async ({
  site,
  page: bens,
  pageFor,
}) => {
  const [ann, ben] = [await site.person(), await site.person()];
  const dog = await addDog(ann, 'Pita');
  const { id: park } = await reservePark(site);
  const anns = await pageFor(ann);
  await shortenPolling(anns);
  await anns.goto(`/profile/${ann.id}/dogs/${dog}`);
  await anns.getByRole('button', { name: 'People of this dog' }).click();
  await anns.getByRole('button', { name: 'Make a link' }).click();
  const link = await linkOf(anns);
  await expectAccessible(anns);
  expect(link).toMatch(`${site.url}/dog-invites/`);

  // Who is not logged in comes back to the link afterwards.
  await bens.goto(link);
  await bens.getByRole('main').getByRole('link', { name: 'Log in', exact: true }).click();
  await fillLogin(bens, ben.email, ben.password);
  await bens.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click();
  await bens.getByRole('button', { name: `Ask ${ann.name} to confirm` }).click();
  await expect(bens.getByText('You will get a notification')).toBeVisible();
  await expectAccessible(bens);

  await expect(anns.getByRole('button', { name: 'Confirm' })).toBeVisible();
  await anns.goto('/notifications');
  await anns.getByRole('button', { name: /asks to join/ }).click();
  await expect(anns).toHaveURL(`/profile/${ann.id}/dogs/${dog}`);
  await anns.getByRole('button', { name: 'People of this dog' }).click();
  await anns.getByRole('button', { name: 'Confirm' }).click();
  await expect(anns.getByRole('button', { name: `Remove: ${ben.name}` })).toBeVisible();

  await bens.goto(`/parks/${park}/`);
  await bens.getByRole('button', { name: 'Check in here' }).click();
  await expect(bens.getByRole('checkbox', { name: 'Pita' })).toBeChecked();
  await bens.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
  await expect(bens.getByRole('region', { name: 'You are here' })).toBeVisible();

  await bens.goto(`/profile/${ben.id}/dogs`);
  await bens.getByRole('link', { name: 'Pita' }).click();
  await expect(bens.getByRole('button', { name: 'Edit' })).toBeVisible();
  await expect(bens.getByRole('button', { name: 'Remove', exact: true })).toBeHidden();
  await bens.getByRole('button', { name: 'People of this dog' }).click();
  await bens.getByRole('switch', { name: 'I would take Pita over' }).click();
  await expect(bens.getByText('Keeper, would take over')).toBeVisible();

  await anns.reload();
  await anns.getByRole('button', { name: 'Hand over' }).click();
  await anns
    .getByRole('alertdialog', { name: `Hand over to ${ben.name}?` })
    .getByRole('button', { name: 'Hand over' })
    .click();
  await expect(anns.getByRole('button', { name: 'Leave Pita' })).toBeVisible();
  await anns.getByRole('button', { name: 'Leave Pita' }).click();
  await anns
    .getByRole('alertdialog', { name: 'Leave Pita?' })
    .getByRole('button', { name: 'Leave Pita' })
    .click();
  await expect(anns).toHaveURL(`/profile/${ann.id}/dogs`);
  await expect(anns.getByText('No dogs yet')).toBeVisible();

  // The new owner asks the former one for a walk.
  await bens.reload();
  await bens.getByRole('radio', { name: 'Walker' }).check();
  await bens
    .getByLabel('Last day')
    .fill(new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10));
  await bens.getByRole('button', { name: 'Make a link' }).click();
  await anns.goto(await linkOf(bens));
  await expect(anns.getByText(`${ben.name} invites you to walk Pita until`)).toBeVisible();
  const { data: owned } = await ben.client.from('dogs').select('name').eq('owner', ben.id);
  expect(owned).toEqual([{ name: 'Pita' }]);
});
