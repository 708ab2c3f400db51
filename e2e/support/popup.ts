// The pop-up that answers a command: modal for two seconds, and it comes a moment after the page has changed.
import { expect, type Page } from '@playwright/test';

/**
 * Does a command, and waits until its pop-up has come and gone: a key that is pressed before may land in it and be lost.
 * @param text what it says
 */
export async function throughPopup(
  page: Page,
  text: string,
  command: () => Promise<void>,
): Promise<void> {
  // Watched for by the page itself from before the command on: no machine is too busy for two seconds then.
  const shown = page.waitForFunction(
    (label) => document.querySelector('[role=alertdialog]')?.getAttribute('aria-label') === label,
    text,
  );
  await Promise.all([shown, command()]);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
}
