// Login with Google and Apple through a simulated provider.
import type { Page } from '@playwright/test';
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import { startIdentityProvider } from '../../testing/identity-provider.ts';
import { reservePark } from '../support/fixtures.ts';
import { test as base, expect } from '../support/test.ts';

const test = base.extend<{ providers: Awaited<ReturnType<typeof startProviders>> }>({
  // oxlint-disable-next-line no-empty-pattern
  providers: async ({}, use) => {
    const providers = await startProviders();
    await use(providers);
    await Promise.all([providers.Google.close(), providers.Apple.close()]);
  },
  hostSettings: ({ providers }, use) => use(providers.settings),
});
// The simulated Apple provider responds to a cancelled login with this status.
test.use({ allowedErrors: [/status of 400/] });

async function startProviders() {
  const [Google, Apple] = [await startIdentityProvider(), await startIdentityProvider()];
  const keys = await generateKeyPair('ES256', { extractable: true });
  const settings = {
    GOOGLE_CLIENT_ID: 'google-web',
    GOOGLE_CLIENT_SECRET: 'a secret',
    GOOGLE_ISSUER: Google.issuer,
    APPLE_CLIENT_ID: 'apple-web',
    APPLE_TEAM_ID: 'TEAM',
    APPLE_KEY_ID: 'KEY',
    APPLE_PRIVATE_KEY: (await exportPKCS8(keys.privateKey)).replaceAll('\n', '\\n'),
    APPLE_ISSUER: Apple.issuer,
  };
  const secretKey = { ...(await exportJWK(keys.publicKey)), kid: 'KEY' };
  return { Google, Apple, settings, secretKey };
}

test('Google returns to the pending intent, Apple to the profile, and a cancelled login to home', async ({
  page,
  site,
  providers: { Google, Apple, secretKey },
}) => {
  const redirectUri = `${site.url}/auth/v1/callback`;
  Google.register({ id: 'google-web', secret: 'a secret', redirectUri });
  Apple.register({ id: 'apple-web', secret: 'unused', redirectUri, secretKey });
  for (const [name, provider] of Object.entries({ Google, Apple })) {
    const email = `${name}@example.test`;
    provider.users.set('dana', { email, email_verified: true, name: 'Dana' });
    provider.loggedInAs = 'dana';
  }
  const goOn = (name: string) =>
    page.getByRole('button', { name: `Continue with ${name}` }).click();
  const { id } = await reservePark(site);
  await page.goto(`/parks/${id}/visitors`);
  await page.getByRole('button', { name: 'Invite friends' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Log in' }).click();
  await goOn('Google');
  await expect(page.getByRole('dialog', { name: 'Invite friends' })).toBeVisible();
  await expect(page).toHaveURL(`/parks/${id}/visitors`);

  await clearSession(page);
  await page.goto('/login?mode=login');
  await goOn('Apple');
  await expect(page).toHaveURL(/\/profile\//);
  // The provider's response has created the account.
  await expect(page.getByRole('textbox', { name: 'What is your dog’s name?' })).toBeFocused();

  await clearSession(page);
  await page.context().clearCookies();
  Apple.loggedInAs = null;
  await page.goto('/login?mode=login');
  await goOn('Apple');
  await expect(page).toHaveURL(/\/$/);
});

/** Clears the session on a page without the app, because pending requests of the app would be rejected and reported. */
async function clearSession(page: Page): Promise<void> {
  await page.goto('/healthz');
  await page.evaluate(() => localStorage.clear());
}
