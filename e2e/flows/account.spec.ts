// Account settings take effect immediately; deleting the account removes all of the user's data.
import { addDog, unfold } from '../support/fixtures.ts';
import { mailTo, pressLink } from '../support/login-driver.ts';
import { expect, test } from '../support/test.ts';

test.describe('with the expected error on the console', () => {
  test.use({ allowedErrors: [/422|401|403|Failed to load resource/] });

  test('the settings log out another device only', async ({ site, pageFor }) => {
    const me = await site.user();
    const page = await pageFor(me);
    const other = site.client();
    await other.auth.signInWithPassword({ email: me.email, password: me.password });
    await page.goto(`/profile/${me.id}`);
    await page.getByRole('link', { name: 'Settings' }).click();
    await unfold(page);
    const devices = page
      .getByRole('listitem')
      .filter({ has: page.getByText(/Last used|This device/) });
    await expect(devices).toHaveCount(2);
    await page.getByRole('button', { name: /^Log out of/ }).click();
    await expect(devices).toHaveCount(1);
    expect((await other.auth.refreshSession()).error?.status).toBe(400);

    const third = site.client();
    await third.auth.signInWithPassword({ email: me.email, password: me.password });
    await page.getByRole('button', { name: 'Log out here only' }).click();
    await expect(page.getByText('You are logged out.')).toBeVisible();
    expect((await third.auth.refreshSession()).error).toBeNull();
  });

  test('deleting an account leads to the goodbye page, ends the login and removes its rows', async ({
    site,
    pageFor,
  }) => {
    const me = await site.user();
    await me.client
      .from('dogs')
      .insert({ name: 'Gone', breed: 'mixed', gender: 'MALE', birthday: '2020-01-01' });
    // Simulates a login long ago. Another user may have the device now, so deleting the account requires the password.
    await site.sql(
      `update auth.sessions set amr = '[{"method":"password","timestamp":1}]' where user_id = $1`,
      [me.id],
    );
    me.session = (await me.client.auth.refreshSession()).data.session ?? me.session;
    const page = await pageFor(me, { at: `/profile/${me.id}/settings` });
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.route('**/functions/v1/delete-user', (route) => route.fulfill({ status: 500 }));
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await expect(page.getByText('It seems my dog ate the code').first()).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('userDeleted'))).toBeNull();
    await page.unroute('**/functions/v1/delete-user');
    await page.getByRole('button', { name: 'Delete for good' }).click();
    const asked = page.getByRole('dialog', { name: 'Enter your password' });
    await asked.getByRole('textbox', { name: 'Password' }).fill(me.password);
    await asked.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL('/user-deleted');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Goodbye, and happy walks');

    const { error } = await site
      .client()
      .auth.signInWithPassword({ email: me.email, password: me.password });
    expect(error?.code).toBe('invalid_credentials');
    const rows = await site.sql(
      `select 1 from public.users where id = $1 union all select 1 from public.dogs where owner = $1`,
      [me.id],
    );
    expect(rows).toEqual([]);

    await page.goto('/notifications');
    await expect(page).toHaveURL('/user-deleted');
  });
});

test('a new email takes effect once both addresses have confirmed it', async ({
  site,
  pageFor,
}) => {
  const me = await site.user();
  const page = await pageFor(me, { at: `/profile/${me.id}/settings` });
  await unfold(page);
  await page.getByRole('button', { name: 'Change email' }).click();
  const field = page.getByLabel('New email');
  await expect(field).toHaveAccessibleDescription('Enter the new email');
  const next = `new-${me.email}`;
  await field.fill(next);
  await page.getByRole('button', { name: 'Change email' }).click();
  await expect(page.getByText(`To switch to ${next}`)).toBeVisible();

  // The first mail's link leads here if both the old and the new address must confirm the change (server: mail-flows.test.ts).
  await page.goto('/email-callback#message=Confirmation+link+accepted');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Halfway there');
  await pressLink(page, (await mailTo(site, next)).link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email verified');
  const login = await site.client().auth.signInWithPassword({ email: next, password: me.password });
  expect(login.error).toBeNull();
});

test('a puppy without vaccinations changes the advice on this device', async ({
  site,
  pageFor,
}) => {
  const user = await site.user();
  const dogId = await addDog(user, 'Nala');
  const page = await pageFor(user, { at: `/profile/${user.id}/dogs/${dogId}` });
  await page.getByRole('switch', { name: 'A puppy that is not fully vaccinated' }).click();
  await page.goto('/parks/3/');
  await expect(page.getByText('Your puppy is not fully vaccinated yet').first()).toBeVisible();
  const other = await pageFor(user, { at: '/parks/3/' });
  await expect(other.getByText('dogs now').first()).toBeVisible();
  await expect(other.getByText('Your puppy is not fully vaccinated yet')).toHaveCount(0);
});
