// Signing up, logging in and out, password resets, second factors, and the pages that mails link to.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { fillLogin, logIn, mailTo, pressLink } from '../support/login-driver.ts';
import { throughPopup } from '../support/popup.ts';

// Chromium logs failed logins (status 400 and above), and auth-js logs missing responses.
test.use({ allowedErrors: [/Failed to load resource|TypeError: Failed to fetch/] });

const main = (page: Page) => page.getByRole('main');
const navbar = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' });

const submit = (page: Page, name = 'Log in') =>
  main(page).getByRole('button', { name, exact: true }).click();

test('signs up, logs out and logs in again', async ({ site, page }) => {
  const email = `${randomUUID()}@example.test`;
  const known = await site.user();
  await page.goto('/login?mode=signup');
  await submit(page, 'Join the pack');
  await expect(main(page).getByRole('alert')).toHaveText('Please fill in the missing details');
  await expect(main(page).getByLabel('Email')).toHaveAccessibleDescription('Please enter email');
  await expect(main(page).getByLabel('Your name')).toBeFocused();

  await main(page).getByLabel('Your name').fill('Dana');
  await fillLogin(page, known.email, 'a walk in the park');
  await submit(page, 'Join the pack');
  await expect(main(page).getByText('Please confirm your age')).toBeVisible();
  await main(page).getByRole('checkbox').check();
  await submit(page, 'Join the pack');
  await expect(main(page).getByLabel('Email')).toHaveAccessibleDescription(
    'This email is already registered',
  );
  await fillLogin(page, email, 'short');
  await submit(page, 'Join the pack');
  const password = main(page).getByLabel('Password', { exact: true });
  await expect(password).toHaveAccessibleDescription(/too easy to guess/);
  await expect(main(page).getByLabel('Your name')).toHaveValue('Dana');
  await password.fill('a walk in the park');
  await submit(page, 'Join the pack');
  await expect(page).toHaveURL(/\/profile\/[0-9a-f-]{36}/);
  await expect(navbar(page).getByRole('link', { name: 'Notifications' })).toBeVisible();
  // The onboarding dialog appears once only.
  const first = page.getByRole('dialog', { name: 'Add a dog' });
  await expect(first.getByRole('textbox', { name: 'What is your dog’s name?' })).toBeFocused();
  await first.getByRole('button', { name: 'Skip' }).click();
  await page.reload();
  await expect(page.getByText('No dogs yet.')).toBeVisible();
  await expect(first).toHaveCount(0);

  await navbar(page).getByRole('button', { name: 'More', exact: true }).click();
  const unauthorized: string[] = [];
  page.on('response', (each) => each.status() === 401 && unauthorized.push(each.url()));
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByText('You are logged out. See you at the park!')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('list', { name: 'Parks around' })).toBeVisible();
  expect(unauthorized).toEqual([]);

  // Former users are asked to log in, newcomers to join.
  await page.goto('/parks/1/');
  await page.getByRole('button', { name: 'Add to favourites' }).click();
  const gate = page.getByRole('dialog', { name: 'Add to favourites' });
  await expect(gate.getByRole('link').last()).toHaveText('Log in');
  await page.keyboard.press('Escape');
  await navbar(page).getByRole('link', { name: 'Log in' }).click();
  await fillLogin(page, email, 'not this one');
  await submit(page);
  await expect(main(page).getByRole('alert')).toHaveText('Incorrect email or password');
  await expect(main(page).getByLabel('Email')).toHaveValue(email);
  await page.route('**/auth/v1/token*', (route) =>
    route.fulfill({ status: 500, headers: { 'sb-request-id': '6d05208051fe' }, json: {} }),
  );
  await password.fill('a walk in the park');
  await submit(page);
  await expect(main(page).getByRole('alert')).toHaveText(/again later\.\nError ID: 6d05208051fe$/);
  await page.unroute('**/auth/v1/token*');
  await submit(page);
  await expect(page).toHaveURL(/\/profile\/[0-9a-f-]{36}/);
  await page.reload();
  await expect(navbar(page).getByRole('link', { name: 'Profile' })).toBeVisible();
});

test('typed values survive a change of mode and a look at the terms', async ({ page }) => {
  await page.goto('/login');
  await fillLogin(page, 'dana@example.test', 'secret words');
  await main(page).getByRole('button', { name: 'Show password' }).click();
  await expect(main(page).getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
  await main(page).getByRole('link', { name: 'Sign up' }).click();
  await expect(main(page).getByLabel('Email')).toHaveValue('dana@example.test');
  await expect(main(page).getByLabel('Password', { exact: true })).toHaveValue('secret words');
  await main(page).getByRole('link', { name: 'terms of use' }).click();
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Terms of use');
  await main(page).getByRole('link', { name: 'Back' }).click();
  await expect(main(page).getByLabel('Email')).toHaveValue('dana@example.test');
  await expect(main(page).getByLabel('Password', { exact: true })).toHaveValue('');
});

test('without a network the form shows an error and keeps typed values', async ({
  page,
  context,
}) => {
  await page.goto('/login');
  await expect(main(page).getByLabel('Email')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await fillLogin(page, 'dana@example.test', 'secret words');
  await page.route('**/auth/v1/**', (route) => route.abort('internetdisconnected'));
  await submit(page);
  await expect(main(page).getByRole('alert')).toHaveText('No internet connection');
  await expect(main(page).getByLabel('Password', { exact: true })).toHaveValue('secret words');
  const banner = page.getByText('No internet connection. You see what was saved earlier.');
  await context.setOffline(true);
  await expect(banner).toBeVisible();
  await context.setOffline(false);
  await expect(banner).toBeHidden();
});

test('an unconfirmed address gets another mail', async ({ site, page }) => {
  const user = await site.user('Noa');
  await site.sql('update auth.users set email_confirmed_at = null where id = $1', [user.id]);
  await page.goto('/login');
  await logIn(page, user);
  await expect(main(page).getByRole('alert')).toHaveText(
    'Please verify your email before logging in',
  );
  await submit(page, 'Send the email again');
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Check your inbox');

  const { link, code } = await mailTo(site, user.email);
  await main(page)
    .getByLabel('Six-digit code')
    .fill(code === '000000' ? '111111' : '000000');
  await submit(page, 'Confirm');
  await expect(main(page).getByLabel('Six-digit code')).toHaveAccessibleDescription(
    /That code is not right/,
  );
  await pressLink(page, link);
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Email verified');
  await expect(main(page).getByRole('link', { name: 'Open the app' })).toHaveAttribute(
    'href',
    /^packpark:\/\//,
  );
  await main(page).getByRole('button', { name: 'Continue to the profile' }).click();
  await expect(page).toHaveURL(new RegExp(`/profile/${user.id}`));
});

test('while emails are delayed, waiting users see a message', async ({ site, page }) => {
  const { id, email } = await site.user();
  // Simulates a mail that another host could not send and will retry. The lease prevents this host from sending it successfully. A
  // lease of more than five minutes would be removed like one that was stored while a clock was wrong.
  await site.sql`insert into private.jobs (type, user_id, due_at, lease, error)
     values ('send-mail', ${id}, now() + interval '4 minutes', gen_random_uuid(), 'The mail server cannot be used (ESOCKET)')`;
  await page.goto('/login');
  await main(page).getByRole('link', { name: 'Forgot password?' }).click();
  await main(page).getByLabel('Email').fill(email);
  await submit(page, 'Send');
  await expect(main(page).getByRole('status')).toHaveText(/^Emails are slow right now/);
  // The delayed mail is sent.
  await site.sql('delete from private.jobs where user_id = $1', [id]);
  await expect(main(page).getByRole('status')).toBeEmpty({ timeout: 60_000 });
});

test('a forgotten password is reset by the link of a mail', async ({ site, page }) => {
  const user = await site.user();
  await page.goto('/login');
  await main(page).getByRole('link', { name: 'Forgot password?' }).click();
  await submit(page, 'Send');
  await expect(main(page).getByLabel('Email')).toHaveAccessibleDescription('Please enter email');
  await main(page).getByLabel('Email').fill(user.email);
  await submit(page, 'Send');
  await expect(main(page).getByText(`If ${user.email} has an account`)).toBeVisible();

  await pressLink(page, (await mailTo(site, user.email)).link);
  const password = main(page).getByLabel('New password', { exact: true });
  await submit(page, 'Save password');
  await expect(password).toHaveAccessibleDescription('Please enter a new password');
  await password.fill(user.password);
  await submit(page, 'Save password');
  await expect(password).toHaveAccessibleDescription(/this is the one you have now/);
  await password.fill('another walk in the park');
  await page.route('**/auth/v1/user', (route) =>
    route.fulfill({ status: 500, json: { code: 500, msg: 'out of biscuits' } }),
  );
  await submit(page, 'Save password');
  await expect(main(page).getByRole('alert')).toHaveText('Server error. Please try again later.');
  await expect(password).toHaveValue('another walk in the park');
  await page.unroute('**/auth/v1/user');
  await throughPopup(page, 'The password was changed', () => submit(page, 'Save password'));
  await expect(page).toHaveURL(new RegExp(`/profile/${user.id}`));
  const { error } = await site
    .client()
    .auth.signInWithPassword({ email: user.email, password: 'another walk in the park' });
  expect(error).toBeNull();
});

test('a password can be reset by the code of a mail, too', async ({ site, page }) => {
  const user = await site.user();
  await page.goto('/update-password#error=access_denied&error_code=otp_expired');
  await main(page).getByRole('link', { name: 'Request a new link' }).click();
  await main(page).getByLabel('Email').fill(user.email);
  await submit(page, 'Send');
  const sent = main(page).getByText(`If ${user.email} has an account`);
  await expect(sent).toBeVisible();
  // A phone discards the tab while the user reads the mail.
  await page.reload();
  await expect(sent).toBeVisible();
  expect(decodeURIComponent(page.url())).not.toContain(user.email);
  await main(page)
    .getByLabel('Six-digit code')
    .fill((await mailTo(site, user.email)).code);
  await submit(page, 'Confirm');
  await expect(page).toHaveURL(/\/update-password/);
  await main(page).getByLabel('New password', { exact: true }).fill('yet another walk');
  await submit(page, 'Save password');
  await expect(page).toHaveURL(new RegExp(`/profile/${user.id}`));
});

test('a bad reset link does not change the password of a logged-in user', async ({
  site,
  pageFor,
}) => {
  const user = await site.user();
  const page = await pageFor(user);
  // An attacker could send the user a valid link to the attacker's account.
  const stranger = await site.user();
  const { data } = await stranger.client.auth.getSession();
  for (const address of [
    '#error=access_denied&error_code=otp_expired&error_description=Gone',
    `?code=${randomUUID()}`,
    `#access_token=${data.session?.access_token}&refresh_token=${data.session?.refresh_token}`,
  ]) {
    await page.goto(`/update-password${address}`);
    await expect(
      main(page).getByText('This reset link is invalid or expired. Please request a new one.'),
    ).toBeVisible();
    await expect(main(page).getByLabel('New password', { exact: true })).toHaveCount(0);
    await main(page).getByRole('link', { name: 'Request a new link' }).click();
    await expect(main(page).getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  }
  // The page ignores the attacker's tokens and removes them from the URL.
  await page.goto(
    `/email-callback#access_token=${data.session?.access_token}&refresh_token=${data.session?.refresh_token}`,
  );
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/auth-callback');
  await expect(page).toHaveURL(new RegExp(`/profile/${user.id}`));
});

test('a login link names the account and needs a confirmation', async ({ site, pageFor }) => {
  const stranger = await site.user();
  const { data } = await stranger.client.auth.getSession();
  const tokens = `#access_token=${data.session?.access_token}&refresh_token=${data.session?.refresh_token}`;
  const visitor = await pageFor();
  await visitor.goto(`/update-password${tokens}`);
  await expect(main(visitor).getByText(stranger.email)).toBeVisible();
  await expect(main(visitor).getByLabel('New password', { exact: true })).toHaveCount(0);
  await main(visitor).getByRole('link', { name: 'Not my account' }).click();
  await expect(visitor).toHaveURL(/\/$/);
  await visitor.goto('/notifications');
  await expect(visitor).toHaveURL(/\/$/);

  await visitor.goto(`/update-password${tokens}`);
  await submit(visitor, 'This is my account');
  await expect(visitor).toHaveURL(/\/update-password$/);
  await main(visitor).getByLabel('New password', { exact: true }).fill('yet another walk');
  await submit(visitor, 'Save password');
  await expect(visitor).toHaveURL(new RegExp(`/profile/${stranger.id}`));
});

test('a mailed link of the Supabase platform is opened by a button only', async ({
  site,
  page,
}) => {
  const user = await site.user();
  await site.client().auth.resetPasswordForEmail(user.email);
  const mailed = new URL((await mailTo(site, user.email)).link);
  const { token = '', ...rest } = Object.fromEntries(mailed.searchParams);
  await page.goto(`/confirm?${new URLSearchParams({ token_hash: token, ...rest })}`);
  await submit(page, 'Continue');
  await expect(page).toHaveURL(mailed.href);
});

test('a session that was revoked elsewhere ends here with a message', async ({ site, pageFor }) => {
  const user = await site.user();
  const page = await pageFor(user);
  await site.sql('delete from public.users where id = $1', [user.id]);
  await page.goto('/notifications');
  await expect(page.getByText('You have been logged out. Please log in again.')).toBeVisible();
  await expect(navbar(page).getByRole('link', { name: 'Log in' })).toBeVisible();
});

test('a login in another tab takes over this one', async ({ site, pageFor }) => {
  const [one, other] = [await site.user(), await site.user()];
  await other.client.rpc('send_friend_request', { p_user_id: one.id });
  await other.client.rpc('send_friend_request', { p_user_id: (await site.user('Noa')).id });
  // A hidden user, whose pages the other user cannot open.
  await one.client.from('users').update({ hidden: true }).eq('id', one.id);
  const page = await pageFor(one, { at: '/notifications' });
  const tab = await page.context().newPage();
  await tab.goto(`${site.url}/profile/${one.id}/friends`);
  await expect(tab.getByText('1 friend request')).toBeVisible();
  await expect(main(page).getByText('wants to be your friend')).toBeVisible();
  // Simulates a login in another tab, whose client stores the session and notifies this page.
  await page.evaluate((session) => {
    localStorage.setItem('packpark-session', JSON.stringify(session));
    new BroadcastChannel('packpark-session').postMessage({ event: 'SIGNED_IN', session });
  }, other.session);
  await expect(main(page).getByText('All quiet.')).toBeVisible();
  await expect(main(page).getByText('wants to be your friend')).toHaveCount(0);
  await expect(navbar(page).getByRole('link', { name: 'Profile' })).toHaveAttribute(
    'href',
    new RegExp(other.id),
  );
  await expect(tab).toHaveURL(`/profile/${other.id}/friends`);
  await expect(main(tab)).toContainText('Noa');
});

test('an expired session on a profile leads to the login', async ({ site, pageFor }) => {
  const user = await site.user();
  const page = await pageFor(user);
  await page.route('**/rest/v1/rpc/user_page*', (route) =>
    route.fulfill({ status: 401, json: { code: 'PGRST301', message: 'JWT cryptography failed' } }),
  );
  await page.goto(`/profile/${user.id}`);
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Log in');
  await expect(page).toHaveURL('/login?mode=login');
  await expect(page.getByText('You have been logged out. Please log in again.')).toBeVisible();
  await expect(navbar(page).getByRole('link', { name: 'Profile' })).toHaveCount(0);
});
