// Walking through all screens and sheets of the app, fast: what the checks of every screen and the pictures share.
import { expect, type Locator, type Page } from '@playwright/test';

/** @param keys of the button's text, one or another; or a selector */
export function buttonOf(page: Page, keys: string, t: (key: string) => string): Locator {
  if (keys.startsWith('css=')) return page.locator(keys).first();
  return keys
    .split('|')
    .map((key) => page.getByRole('button', { name: t(key), exact: true }))
    .reduce((one, other) => one.or(other))
    .first();
}

/** Goes from screen to screen as the app's own links do, which is faster than loading it anew each time. */
export async function navigator(page: Page): Promise<(path: string) => Promise<void>> {
  await load(page, '/about');
  return async (path) => {
    await navigateTo(page, path);
    await settled(page);
  };
}

/** A sheet that was just closed may still be leaving the history, which aborts or swallows a navigation that begins meanwhile. */
export const waitForClosedSheets = (page: Page): Promise<unknown> =>
  page
    .waitForFunction(
      () =>
        ((history.state as { layers?: number } | null)?.layers ?? 0) <=
        document.querySelectorAll('dialog[open]').length,
      null,
      // By then the app has given up waiting for it.
      { timeout: 4000 },
    )
    // Another layer than a sheet stays open, or the page is one that cannot be asked.
    .catch(() => undefined);

/** Goes to another screen as the app's own links do: of a page that is loaded anew most is the start, which is not looked at. */
export async function navigateTo(page: Page, path: string): Promise<void> {
  await waitForClosedSheets(page);
  await page.evaluate(async (href) => {
    const { __TSR_ROUTER__: router } = window as unknown as {
      __TSR_ROUTER__: { navigate(to: { href: string }): Promise<void> };
    };
    await router.navigate({ href });
  }, path);
}

/** Loads the app at an address, as a link from elsewhere does. */
export async function load(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForSelector('#preloader', { state: 'detached' });
  await page.evaluate(async () => {
    // A tour comes close to the usual 250 records: what arrived beyond them would not be seen to arrive.
    performance.setResourceTimingBufferSize(10_000);
    await document.fonts.ready;
  });
}

/** Nothing is on its way any more, neither data nor a part of the app. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeAttached();
  await expect(page.locator('[aria-busy=true], [class*=skeleton]')).toHaveCount(0);
  await page.evaluate(async () => {
    const arrived = () => performance.getEntriesByType('resource').length;
    const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 300 }));
    for (let before = -1; before !== arrived();) {
      before = arrived();
      await idle();
    }
  });
}
