// Every form: validation messages next to fields, a failing server loses nothing typed, a double click submits once.
import type { Page } from '@playwright/test';
import { acceptTerms, befriend, reservePark, unfold, writeReview } from '../support/fixtures.ts';
import { DOG_ATE, failThenSend } from '../support/failing-server.ts';
import { logIn } from '../support/login-driver.ts';
import { throughPopup } from '../support/popup.ts';
import { expect, type TestUser, test } from '../support/test.ts';
import { totp } from '../support/totp.ts';

// The test causes these failures.
test.use({ allowedErrors: [/Failed to load resource|errors\.unexpected/] });

const AUTH_FAILED = 'Server error. Please try again later.';

async function agreed(user: TestUser): Promise<TestUser> {
  await acceptTerms(user);
  return user;
}

/** Returns six digits that differ from this valid code. */
const anotherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('name and password', async ({ site, pageFor }) => {
  const me = await site.user();
  const page = await pageFor(me, { at: `/profile/${me.id}/info` });
  const name = page.getByLabel('Name');
  await name.fill('  ');
  await button(page, 'Save').click();
  await expect(name).toHaveAccessibleDescription('Please enter a name');
  await expect(name).toBeFocused();
  await expect(page).toHaveTitle(/^Error: Info/);
  await name.fill('Renamed Rona');
  await failThenSend(page, {
    request: '**/rest/v1/users*',
    send: button(page, 'Save'),
    unchanged: () => expect(name).toHaveValue('Renamed Rona'),
  });
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Renamed Rona');
  await expect(page).toHaveTitle(/^Info/);

  await page.goto(`/profile/${me.id}/settings`);
  await unfold(page);
  const password = page.getByLabel('New password');
  const change = button(page, 'Change password');
  await change.click();
  await expect(password).toHaveAccessibleDescription('Please enter a new password');
  await password.fill('123');
  await change.click();
  await expect(password).toHaveAccessibleDescription(/too easy to guess/);
  await password.fill(me.password);
  await change.click();
  await expect(password).toHaveAccessibleDescription(/this is the one you have now/);
  await expect(password).toHaveValue(me.password);
  await password.fill('a longer walk in the park');
  await throughPopup(page, 'The password was changed', () =>
    failThenSend(page, {
      request: '**/auth/v1/user',
      send: change,
      unchanged: () => expect(password).toHaveValue('a longer walk in the park'),
      text: AUTH_FAILED,
    }),
  );
});

test('a second factor is turned on, used, replaced, turned off', async ({ site, pageFor }) => {
  const me = await site.user();
  const page = await pageFor(me, { at: `/profile/${me.id}/settings` });
  await unfold(page);
  await button(page, 'Turn on').click();
  const sheet = page.getByRole('dialog', { name: 'Two-step verification' });
  const code = sheet.getByLabel('Six-digit code');
  const confirm = sheet.getByRole('button', { name: 'Confirm' });
  await confirm.click();
  await expect(code).toHaveAccessibleDescription('Please enter the six digits');
  await expect(code).toBeFocused();
  const secret = await sheet.locator('code').innerText();
  await code.fill(anotherThan(totp(secret)));
  await confirm.click();
  await expect(code).toHaveAccessibleDescription(/That code is not right/);
  const typed = totp(secret);
  await code.fill(typed);
  // A code is valid once, so a second request with it would be rejected.
  await failThenSend(page, {
    request: '**/auth/v1/factors/*/verify',
    send: confirm,
    unchanged: () => expect(code).toHaveValue(typed),
    text: AUTH_FAILED,
  });
  const recovery = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(recovery.getByRole('listitem')).toHaveCount(10);
  const spare = await recovery.getByRole('listitem').first().innerText();
  await recovery.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(page.getByText('On. Logging in also takes a code')).toBeVisible();
  await expect(page.getByText('That code is not right')).toHaveCount(0);

  const logInAgain = async () => {
    // Requests that are still running would be rejected without the session.
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => localStorage.removeItem('packpark-session'));
    await page.goto('/login');
    await logIn(page, me);
  };
  await logInAgain();
  const asked = page.getByLabel('Six-digit code');
  await expect(asked).toBeVisible();
  await page.goto('/notifications');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One more step');
  await button(page, 'Confirm').click();
  await expect(asked).toHaveAccessibleDescription('Please enter the six digits');
  await expect(asked).toBeFocused();
  // Enrolling has used the current code. Lowering last_step makes the server accept it again.
  await site.sql`update auth.mfa_factors set last_step = last_step - 3 where user_id = ${me.id}`;
  const next = totp(secret);
  await asked.fill(next);
  await failThenSend(page, {
    request: '**/auth/v1/factors/*/verify',
    send: button(page, 'Confirm'),
    unchanged: () => expect(asked).toHaveValue(next),
    text: AUTH_FAILED,
  });
  await expect(page).toHaveURL(new RegExp(`/profile/${me.id}`));

  await logInAgain();
  await button(page, 'Use a recovery code').click();
  const field = page.getByLabel('Recovery code');
  await field.fill('AAAA-BBBB-CCCC');
  await button(page, 'Confirm').click();
  await expect(field).toHaveAccessibleDescription('That code is not right, or was used already.');
  await field.fill(spare.toLowerCase());
  await button(page, 'Confirm').click();
  await expect(page).toHaveURL(new RegExp(`/profile/${me.id}`));

  await page.goto(`/profile/${me.id}/settings`);
  await unfold(page);
  await button(page, 'Turn off').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText('Off. An authenticator app')).toBeVisible();
});

test('a park, and missing details of one', async ({ site, pageFor }) => {
  const { id: parkId } = await reservePark(site);
  const me = await agreed(await site.user());
  const page = await pageFor(me, { at: '/parks/new' });
  const send = button(page, 'Send the park');
  await send.click();
  await expect(page.getByText('Please fill in the missing details')).toHaveCount(3);
  await page.getByLabel('City').fill('Haifa');
  await page.getByLabel('Address', { exact: true }).fill('Once 1');
  await page.getByRole('button', { name: 'My location' }).click();
  await expect(page.getByText('The pin is set.')).toBeAttached();
  const size = page.getByLabel(/Size in square metres/);
  await size.fill('-3');
  await send.click();
  await expect(page.getByText('Please check the size')).toBeVisible();
  await size.fill('1200');
  await failThenSend(page, {
    request: '**/rest/v1/rpc/submit_park*',
    send,
    unchanged: () => expect(page.getByLabel('City')).toHaveValue('Haifa'),
    arrives: true,
  });
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  await expect(page.getByText('The park will be added shortly')).toBeVisible();

  await page.goto(`/parks/${parkId}/`);
  await page.getByRole('button', { name: 'Add missing details' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suggest a correction' }).click();
  await button(page, 'Send').click();
  await expect(page.getByText('Change at least one detail')).toBeVisible();
  await size.fill('-7');
  await button(page, 'Send').click();
  await expect(size).toHaveAccessibleDescription('Please check the size');
  await size.fill('700');
  await failThenSend(page, {
    request: '**/rest/v1/rpc/suggest_park_details*',
    send: button(page, 'Send'),
    unchanged: () => expect(size).toHaveValue('700'),
    arrives: true,
  });
  await expect(page.getByText('It shows once it is checked.')).toBeVisible();
  // Each form was saved exactly once, and the suggestion did not change the park.
  const rows = () =>
    site.sql(
      `select p.status::text, p.size::int, t.name, s.size::int as suggested, s.shade,
         (select size from public.parks where id = s.park_id) is distinct from s.size as kept
       from private.park_submitters u join public.parks p on p.id = u.park_id join public.park_translations t on t.park_id = p.id
         join public.park_suggestions s on s.user_id = u.user_id where u.user_id = $1`,
      [me.id],
    );
  await expect
    .poll(rows)
    .toEqual([
      { status: 'pending', size: 1200, name: 'Once 1', suggested: 700, shade: null, kept: true },
    ]);
});

test('a review, a report, an invite', async ({ site, pageFor }) => {
  const { id: parkId } = await reservePark(site);
  const me = await agreed(await site.user());
  const friend = await agreed(await site.user('Fenna Friend'));
  await befriend(me, friend);
  await writeReview(friend, parkId, 'Report me', 1);
  const page = await pageFor(me, { at: `/parks/${parkId}/reviews` });
  await button(page, 'Write a review').click();
  await page.getByRole('radio', { name: '3 stars' }).check();
  await page.getByLabel('Title').fill('Once only');
  await failThenSend(page, {
    request: '**/rest/v1/rpc/save_review*',
    send: button(page, 'Post review'),
    unchanged: () => expect(page.getByLabel('Title')).toHaveValue('Once only'),
    arrives: true,
  });
  await expect(page.getByRole('article').filter({ hasText: 'Once only' })).toHaveCount(1);

  const other = page.getByRole('article').filter({ hasText: 'Report me' });
  await other.getByRole('button', { name: 'Review options' }).click();
  await page.getByRole('menuitem', { name: 'Report' }).click();
  await page.getByRole('radio', { name: 'Fake' }).check();
  await failThenSend(page, {
    request: '**/rest/v1/rpc/report_review*',
    send: button(page, 'Send report'),
    unchanged: () => expect(page.getByRole('radio', { name: 'Fake' })).toBeChecked(),
  });
  await expect(page.getByText('Thank you. We will look at it.')).toBeVisible();

  await page.getByRole('link', { name: 'Visitors' }).click();
  await button(page, 'Invite friends').click();
  const whom = page.getByRole('checkbox', { name: 'Fenna Friend' });
  const friends = page.getByRole('group', { name: 'Who’s coming?' });
  await expect(whom).not.toBeChecked();
  await expect(friends).toHaveAccessibleDescription('');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(friends).toHaveAccessibleDescription('Choose at least one friend');
  await expect(whom).toBeFocused();
  await whom.check();
  await page.getByRole('radio', { name: 'Another time' }).check();
  await page.getByLabel('Date and time').fill('2020-01-01T10:00');
  await button(page, 'Invite Fenna Friend').click();
  await expect(page.getByLabel('Date and time')).toHaveAccessibleDescription(
    'Choose a time in the future',
  );
  await page.getByLabel('Date and time').fill('2999-01-01T10:00');
  await button(page, 'Invite Fenna Friend').click();
  await expect(page.getByLabel('Date and time')).toHaveAccessibleDescription(
    'Invite for a time within the next 30 days.',
  );
  const soon = new Date(Date.now() + 30 * 3_600_000).toISOString().slice(0, 16);
  await page.getByLabel('Date and time').fill(soon);
  await failThenSend(page, {
    request: '**/rest/v1/rpc/invite_to_park*',
    send: button(page, 'Invite Fenna Friend'),
    unchanged: () => expect(whom).toBeChecked(),
    arrives: true,
  });
  await expect(page.getByText('Invite sent')).toBeVisible();
  const rows = () =>
    site.sql(
      `select (select count(*)::int from public.reviews where author = $1) as reviews,
              (select count(*)::int from private.review_reports where reporter = $1) as reports,
              (select count(*)::int from public.park_invites where sender_id = $1) as invites`,
      [me.id],
    );
  await expect.poll(rows).toEqual([{ reviews: 1, reports: 1, invites: 1 }]);
});

test('a report of a user, and rejected switches', async ({ site, pageFor }) => {
  const [me, other] = [await site.user(), await site.user('Rude Rudi')];
  const page = await pageFor(me, { at: `/profile/${other.id}` });
  await button(page, 'More about Rude Rudi').click();
  await page.getByRole('menuitem', { name: 'Report' }).click();
  await button(page, 'Send report').click();
  await expect(page.getByRole('group', { name: 'What is wrong?' })).toHaveAccessibleDescription(
    'Choose a reason',
  );
  await expect(page.getByRole('radio', { name: 'Spam' })).toBeFocused();
  await page.getByRole('radio', { name: 'Fake profile' }).check();
  const note = page.getByLabel('Anything to add?');
  await note.fill('Sells my dog');
  await failThenSend(page, {
    request: '**/rest/v1/rpc/report_user*',
    send: button(page, 'Send report'),
    unchanged: () => expect(note).toHaveValue('Sells my dog'),
    arrives: true,
  });
  await expect(page.getByText('Thank you. We will look at it.')).toBeVisible();
  const rows =
    await site.sql`select reason::text, note from private.user_reports where reporter = ${me.id}`;
  expect(rows).toEqual([{ reason: 'fake', note: 'Sells my dog' }]);

  // Rejected changes revert and show the reason.
  await page.goto(`/profile/${me.id}/settings`);
  await page.route(/rest\/v1\/(users|notifications_preferences)/, (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({ status: 500, json: { code: 'XX000', message: 'out of biscuits' } }),
  );
  await unfold(page);
  for (const name of ['Hide me', 'Mute all']) {
    const toggle = page.getByRole('switch', { name });
    const refused = page.waitForResponse((answer) => answer.status() === 500);
    await toggle.click();
    await refused;
    await expect(page.getByText(DOG_ATE).first()).toBeVisible();
    await expect(toggle).not.toBeChecked();
    await expect(toggle).toBeEnabled();
  }
});

test('login, signup and password reset while the server fails', async ({ page, site }) => {
  const user = await site.user();
  const main = page.getByRole('main');
  await page.route('**/auth/v1/{token,signup,recover}*', (route) =>
    route.fulfill({ status: 500, json: { code: 500, msg: 'out of biscuits' } }),
  );
  for (const [mode, send, first] of [
    ['login', 'Log in', 'Email'],
    ['signup', 'Join the pack', 'Your name'],
    ['forgot', 'Send', 'Email'],
  ] as const) {
    await page.goto(`/login?mode=${mode}`);
    // The tab keeps the address of the previous form.
    await main.getByLabel('Email').fill('');
    await button(page, send).click();
    await expect(main.getByLabel('Email')).toHaveAccessibleDescription('Please enter email');
    // Wait for the focus, because the app moves it to the first invalid field shortly afterwards and would interrupt typing.
    await expect(main.getByLabel(first)).toBeFocused();
    await main.getByLabel('Email').fill(user.email);
    if (mode !== 'forgot') await main.getByLabel('Password', { exact: true }).fill(user.password);
    if (mode === 'signup') {
      await main.getByLabel('Your name').fill('Dana');
      await main.getByRole('checkbox').check();
    }
    await button(page, send).click();
    await expect(main.getByRole('alert')).toHaveText(AUTH_FAILED);
    await expect(main.getByLabel('Email')).toHaveValue(user.email);
    await expect(button(page, send)).toBeEnabled();
  }
});

test('lists that fail to load can be retried', async ({ site, pageFor }) => {
  const { id: parkId } = await reservePark(site);
  const me = await site.user();
  const page = await pageFor(me);
  // Without cached pages, because the app would otherwise show cached friends when the request fails.
  await page.addInitScript(() => localStorage.removeItem('cachedQueries'));
  const broken = /\/rest\/v1\/(notifications|friends|friend_requests|rpc\/my_blocks)\b/;
  await page.route(broken, (route) =>
    route.fulfill({ status: 500, json: { code: 'XX000', message: 'out of biscuits' } }),
  );
  for (const [path, wrong, right] of [
    ['/notifications', 'All quiet.', 'All quiet.'],
    [`/profile/${me.id}/friends`, 'No friends yet.', 'No friends yet.'],
    [`/profile/${me.id}/settings`, 'You have not blocked anybody', 'You have not blocked anybody'],
  ] as const) {
    await page.goto(path);
    if (path.endsWith('settings')) await unfold(page);
    const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
    await expect(again).toBeVisible();
    await expect(page.getByText(wrong)).toHaveCount(0);
    await page.unroute(broken);
    await again.click();
    await expect(page.getByText(right)).toBeVisible();
    await page.route(broken, (route) => route.fulfill({ status: 500, json: { code: 'XX000' } }));
  }

  await page.goto(`/parks/${parkId}/visitors`);
  await button(page, 'Invite friends').click();
  const invites = page.getByRole('dialog');
  const again = invites.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await page.unroute(broken);
  await again.click();
  await expect(invites.getByRole('link', { name: 'Find friends' })).toBeVisible();

  await page.route('**/rest/v1/dogs?*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(`/parks/${parkId}/`);
  await button(page, 'Check in here').click();
  await expect(button(page, 'Check in')).toBeEnabled();
});
