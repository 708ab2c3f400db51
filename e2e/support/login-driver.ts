// The form of /login, as one fills it in.
import type { Page } from '@playwright/test';

/** Types both fields and sends nothing yet. */
export async function fillLogin(page: Page, email: string, password: string): Promise<void> {
  const form = page.getByRole('main');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password', { exact: true }).fill(password);
}
