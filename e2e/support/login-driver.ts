// Fills in the form of /login and reads mails.
import type { Page } from '@playwright/test';
import { expect, type Site } from './test.ts';

export async function fillLogin(page: Page, email: string, password: string): Promise<void> {
  const form = page.getByRole('main');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password', { exact: true }).fill(password);
}

/** Logs in with the open form. */
export async function logIn(page: Page, who: { email: string; password: string }): Promise<void> {
  await fillLogin(page, who.email, who.password);
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Opens a mailed link and presses the only button of its page. */
export async function pressLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button').click();
}

/** The link and code of the newest mail to an address. */
export async function mailTo(site: Site, email: string): Promise<{ link: string; code: string }> {
  let plain = '';
  await expect
    .poll(async () => {
      const [mail] = await site.sql<{ plain: string }>(
        'select plain from auth.local_mails where recipient = $1 order by id desc limit 1',
        [email],
      );
      plain = mail?.plain ?? '';
      return plain;
    })
    .not.toBe('');
  const link = /https?:\/\/\S+/.exec(plain)?.[0] ?? '';
  const code =
    /\b(?:\d{6}|[0-9A-F]{5}(?:-[0-9A-F]{5}){3})\b/.exec(
      plain.replaceAll(/https?:\/\/\S+/g, ''),
    )?.[0] ?? '';
  return { link, code };
}
