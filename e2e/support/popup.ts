// The pop-up that answers a command: over the page for two seconds, and it comes a moment after the page has changed.
import { expect, type Page } from '@playwright/test';

/**
 * Does a command, and waits until its pop-up has come and gone: a click before would close it and be lost.
 * @param text what it says, also to a screen reader
 */
export async function throughPopup(
  page: Page,
  text: string,
  command: () => Promise<void>,
): Promise<void> {
  // Watched for by the page itself from before the command on: no machine is too busy for two seconds then.
  const shown = page.waitForFunction(
    (label) => document.querySelector('[data-popup]')?.getAttribute('data-popup') === label,
    text,
  );
  await Promise.all([shown, command()]);
  await expect(page.getByRole('status').filter({ hasText: text })).toBeAttached();
  await expect(page.locator('[data-popup]')).toHaveCount(0);
}
