// Simulates actions of the user and of the device in a native app.
import type { Page } from '@playwright/test';
import { logIn as fillAndLogIn } from './login-driver.ts';
import { ORIGIN, type Device } from './native-shell.ts';
import { expect, type TestUser, type Site } from './test.ts';

export const main = (page: Page) => page.getByRole('main');
export const toasts = (page: Page) => page.getByText('This link cannot log you in.');

/** Events to which the app starts to listen after its first screen is shown, at different times. */
const LISTENED: [plugin: string, event: string][] = [
  ['App', 'appUrlOpen'],
  ['App', 'backButton'],
  ['Keyboard', 'keyboardDidShow'],
  ['Keyboard', 'keyboardDidHide'],
  ['PushNotifications', 'pushNotificationActionPerformed'],
];
export const ready = (device: Device) =>
  expect
    .poll(() => LISTENED.filter(([plugin, event]) => !device.listensTo(plugin, event)))
    .toEqual([]);

export const openLink = (device: Device, url: string) => device.emit('App', 'appUrlOpen', { url });
export const pressBack = (device: Device) => device.emit('App', 'backButton', { canGoBack: false });

/** Opens the login through the navbar, without reloading the app. */
export const openLogin = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: 'Log in' })
    .click();

export async function logIn(page: Page, user: TestUser): Promise<void> {
  await fillAndLogIn(page, user);
  await expect(page).toHaveURL(`${ORIGIN}/profile/${user.id}/dogs`);
}

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Log in', exact: true }).first()).toBeVisible();
}

export const tokensOf = (site: Site, user: TestUser) =>
  site.sql<{ token: string; platform: string; device_id: string }>(
    'select token, platform, device_id from public.device_tokens where user_id = $1',
    [user.id],
  );

/** Starts a login with Google and returns the redirect URL. */
export async function beginProviderLogin(page: Page, device: Device): Promise<URL> {
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await expect.poll(() => device.count('Browser.open')).toBe(1);
  const opened = new URL(
    String(device.calls.find(({ name }) => name === 'Browser.open')?.options.url),
  );
  return new URL(opened.searchParams.get('redirect_to') ?? '');
}
