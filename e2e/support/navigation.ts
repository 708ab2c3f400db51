// Fast navigation through all screens and sheets, shared by the checks of every screen and the screenshots.
import { expect, type Locator, type Page } from '@playwright/test';
import { dataArrived } from './requests.ts';

/** @param keys message keys of the button separated by |, or a selector */
export function buttonOf(page: Page, keys: string, t: (key: string) => string): Locator {
  if (keys.startsWith('css=')) return page.locator(keys).first();
  return keys
    .split('|')
    .map((key) => page.getByRole('button', { name: t(key), exact: true }))
    .reduce((one, other) => one.or(other))
    .first();
}

/** Returns a function that navigates client-side, which is faster than loading each page. */
export async function navigator(page: Page): Promise<(path: string) => Promise<void>> {
  await load(page, '/about');
  return async (path) => {
    await navigateTo(page, path);
    await settled(page);
  };
}

/** Waits until sheets have left the history, because leaving it would abort a navigation that starts earlier. */
export const waitForClosedSheets = (page: Page): Promise<unknown> =>
  page
    .waitForFunction(
      () =>
        ((history.state as { overlays?: number } | null)?.overlays ?? 0) <=
        document.querySelectorAll('dialog[open]').length,
      null,
      // The app waits at most this long for the history.
      { timeout: 4000 },
    )
    // Continue if another overlay stays open (a timeout) or the page cannot be evaluated.
    .catch(() => undefined);

/** Navigates client-side, as a link would. A full reload would spend most of its time on app start-up, which is not under test. */
export async function navigateTo(page: Page, path: string): Promise<void> {
  await waitForClosedSheets(page);
  await page.evaluate(async (href) => {
    const { __TSR_ROUTER__: router } = window as unknown as {
      __TSR_ROUTER__: { navigate(to: { href: string }): Promise<void> };
    };
    await router.navigate({ href });
  }, path);
}

/** Loads the app at a path, like a link from elsewhere. */
export async function load(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForSelector('#preloader', { state: 'detached' });
  await page.evaluate(async () => {
    // A full tour exceeds the default of 250 records, and later requests would be missing.
    performance.setResourceTimingBufferSize(10_000);
    await document.fonts.ready;
  });
}

/** Waits until no data and no chunk is loading. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeAttached();
  await expect(page.locator('[aria-busy=true], [class*=skeleton]')).toHaveCount(0);
  await dataArrived();
  await page.evaluate(async () => {
    const arrived = () => performance.getEntriesByType('resource').length;
    const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 300 }));
    for (let before = -1; before !== arrived();) {
      before = arrived();
      await idle();
    }
  });
}
