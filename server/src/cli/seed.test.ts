// Tests that demo users are never part of a public site, even if the demo was used first.
import { expect, test } from 'vitest';
import { rejectPublicDemo, seedDemo } from '#/cli/seed.ts';
import { readSettings } from '#/product/settings.ts';
import { connectTo, createTestDatabase } from '../../../testing/test-host.ts';

test('a database with the demo is served only to the local machine', async () => {
  const client = await connectTo(await createTestDatabase());
  const site = readSettings({ SITE_URL: 'https://parks.example' });
  await rejectPublicDemo(client, site);
  expect(await seedDemo(client)).toBe(true);
  await rejectPublicDemo(client, readSettings({}));
  await expect(rejectPublicDemo(client, site)).rejects.toThrow(/the demo users/);
});
