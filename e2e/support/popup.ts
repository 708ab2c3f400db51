// The popup after a command: it covers the page for two seconds and appears shortly after the page has changed.
import { expect, type Page } from '@playwright/test';

/**
 * Runs a command and waits until its popup has appeared and disappeared, because an earlier click would only close the popup.
 * @param text text of the popup
 */
export async function throughPopup(
  page: Page,
  text: string,
  command: () => Promise<void>,
): Promise<void> {
  // Observed by the page from before the command, so a busy machine cannot miss the two seconds.
  const shown = page.waitForFunction(
    (label) => document.querySelector('[data-popup]')?.getAttribute('data-popup') === label,
    text,
  );
  await Promise.all([shown, command()]);
  await expect(page.getByRole('status').filter({ hasText: text })).toBeAttached();
  await expect(page.locator('[data-popup]')).toHaveCount(0);
}
