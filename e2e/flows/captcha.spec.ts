// If a captcha is configured, signing up, logging in and requesting a mail each need a new captcha token.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { expect, type Site, test } from '../support/test.ts';
import { fillLogin } from '../support/login-driver.ts';

test.use({
  allowedErrors: [/Failed to load resource/],
  hostSettings: {
    CAPTCHA_PROVIDER: 'turnstile',
    CAPTCHA_SITE_KEY: 'the site key',
    CAPTCHA_SECRET: 'a secret',
  },
});
// One worker, because these tests need a host of their own, which is started once.
test.describe.configure({ mode: 'default' });

/** A fake provider script. Its widget returns a captcha token when it is clicked. */
const SCRIPT = `
  window.turnstile = {
    render(box, { sitekey, language, callback }) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'I am human (' + sitekey + ', ' + language + ')';
      button.onclick = () => { button.disabled = true; callback('answer ' + Math.random()); };
      box.append(button);
      return 'widget';
    },
    remove() {},
  };
  window[new URL(document.currentScript.src).searchParams.get('onload')]();`;

/** Serves the fake script at the provider's URL, under the pages' real Content-Security-Policy. */
async function offer(page: Page, site: Site): Promise<void> {
  await page.route('https://challenges.cloudflare.com/turnstile/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  );
  // Makes the fake captcha service accept each token that the widget creates.
  await page.route('**/auth/v1/**', async (route) => {
    const body = route.request().postDataJSON() as {
      gotrue_meta_security?: { captcha_token?: string };
    } | null;
    const answer = body?.gotrue_meta_security?.captcha_token;
    if (answer?.startsWith('answer ')) site.external.captchaAnswers.add(answer);
    await route.continue();
  });
}

const main = (page: Page) => page.getByRole('main');
const human = (page: Page, language = 'en') =>
  main(page).getByRole('button', { name: `I am human (the site key, ${language})` });
const submit = (page: Page, name: string) =>
  main(page).getByRole('button', { name, exact: true }).click();

test('signup, login and a password reset each need an answer', async ({ page, site }) => {
  const email = `${randomUUID()}@example.test`;
  await offer(page, site);
  await page.goto('/login?mode=signup');
  await main(page).getByLabel('Your name').fill('Dana');
  await fillLogin(page, email, 'a walk in the park');
  await main(page).getByRole('checkbox').check();
  await submit(page, 'Join the pack');
  await expect(main(page).getByRole('alert').first()).toHaveText(
    'Please confirm that you are human',
  );
  await expectAccessible(page);
  await page.route('**/auth/v1/signup*', (route) =>
    route.fulfill({ status: 500, json: { code: 500, msg: 'out of biscuits' } }),
  );
  await human(page).click();
  await submit(page, 'Join the pack');
  await expect(main(page).getByRole('alert').first()).toHaveText(
    'Server error. Please try again later.',
  );
  await expect(main(page).getByLabel('Your name')).toHaveValue('Dana');
  await page.unroute('**/auth/v1/signup*');
  // A captcha token is valid for one request only, so the server would reject a second request.
  await human(page).click();
  await main(page).getByRole('button', { name: 'Join the pack', exact: true }).dblclick();
  await expect(page).toHaveURL(/\/profile\/[0-9a-f-]{36}/);

  await page.evaluate(() => localStorage.removeItem('packpark-session'));
  await page.goto('/login?mode=login');
  await fillLogin(page, email, 'not this one');
  await human(page).click();
  await submit(page, 'Log in');
  await expect(main(page).getByRole('alert').first()).toHaveText('Incorrect email or password');
  // The failed login has used the captcha token, so the next attempt needs a new one.
  await main(page).getByLabel('Password', { exact: true }).fill('a walk in the park');
  await submit(page, 'Log in');
  await expect(main(page).getByRole('alert').first()).toHaveText(
    'Please confirm that you are human',
  );
  await human(page).click();
  await submit(page, 'Log in');
  await expect(page).toHaveURL(/\/profile\/[0-9a-f-]{36}/);

  await page.evaluate(() => localStorage.removeItem('packpark-session'));
  await page.goto('/login?mode=forgot');
  await main(page).getByLabel('Email').fill(email);
  await human(page).click();
  await submit(page, 'Send');
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Check your inbox');
});

test('an unreachable provider shows a message', async ({ pageFor, site }) => {
  const page = await pageFor(undefined, { language: 'he' });
  await page.route('https://challenges.cloudflare.com/**', (route) => route.abort());
  await page.goto('/login?mode=login');
  await expect(main(page).getByRole('alert').last()).toHaveText(
    'הבדיקה שאתם לא רובוטים לא נטענה. נסו שוב מאוחר יותר.',
  );
  await page.unroute('https://challenges.cloudflare.com/**');
  await offer(page, site);
  await page.reload();
  await expect(human(page, 'he')).toBeVisible();
});
