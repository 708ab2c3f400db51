// Choosing a position in a form: by clicking the map and by address. Keyboard use is in keyboard-only.spec.ts.
import type { Page } from '@playwright/test';
import { expect, test, type Site } from '../support/test.ts';

/** Opens the new-park form as a user who may post, with everything filled except the position. */
async function openForm(page: Page, address: string): Promise<void> {
  await page.goto('/parks/new');
  await page.getByLabel('City').fill('Haifa');
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.locator('.leaflet-container').waitFor();
}

/** Sends the form and returns the new park's position. */
async function sentPlace(page: Page, site: Site, address: string) {
  await page.getByRole('button', { name: 'Send the park' }).click();
  await expect(page.getByText('The park will be added shortly')).toBeVisible();
  const [row] = await site.sql<{ lat: number; long: number }>(
    'select lat, long from public.parks join public.park_translations on park_id = id where address = $1',
    [address],
  );
  return row;
}

async function contributor(site: Site) {
  const user = await site.user();
  await user.client.rpc('accept_terms', { p_licence: true });
  return user;
}

test('a point on the map fills in the address unless the user typed one', async ({
  site,
  pageFor,
}) => {
  const address = { road: 'HaYam', house_number: '3', city: 'Hefa' };
  site.external.places = [{ display_name: '3, HaYam', lat: '32.2', lon: '34.8', address }];
  const page = await pageFor(await contributor(site));
  await openForm(page, '');
  // An existing park is on the map and cannot be chosen again.
  await page.getByRole('button', { name: 'Eucalyptus Bend', exact: true }).click();
  const known = page
    .getByRole('status')
    .filter({ hasText: 'Eucalyptus Bend is already on the map' });
  await expect(known.getByRole('link')).toHaveAttribute('href', '/parks/1');
  // The park opens in a new tab, so the form's input is not lost.
  await expect(known.getByRole('link')).toHaveAttribute('target', '_blank');
  const canvas = page.locator('.leaflet-container');
  const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
  await canvas.click({ position: { x: width / 2 + 40, y: height / 2 } });
  await expect(known).toHaveCount(0);
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('HaYam 3');
  await expect(page.getByLabel('City')).toHaveValue('Haifa');
  const place = await sentPlace(page, site, 'HaYam 3');
  // The pin stays where the user placed it, 40 pixels (about 80 m at zoom 16) east of the centre, and does not move to the house.
  expect(place?.lat).toBeCloseTo(32.09992, 3);
  expect(place?.long).toBeCloseTo(34.809212 + (40 * 360) / (256 * 2 ** 16), 4);
});

test('accepts a searched address and sends nothing', async ({ site, pageFor }) => {
  const address = { road: 'HaNamal', house_number: '7', city: 'Hefa' };
  site.external.places = [{ display_name: '7, HaNamal', lat: '32.8201', lon: '34.9986', address }];
  const page = await pageFor(await contributor(site));
  await openForm(page, 'Search 3');
  await page.getByLabel('City').fill('');
  await page.getByRole('combobox', { name: 'Search for an address' }).fill('HaNamal 7');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The pin is set.')).toBeAttached();
  await expect(page.getByText('Please fill in the missing details')).toHaveCount(0);
  await expect(page.getByLabel('City')).toHaveValue('Hefa');
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('Search 3');
  expect(await sentPlace(page, site, 'Search 3')).toEqual({ lat: 32.8201, long: 34.9986 });
});
