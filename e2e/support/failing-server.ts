// Submits a form to a server that fails first.
import { expect, type Locator, type Page } from '@playwright/test';

/** The app's generic message for an error without a specific one. */
export const DOG_ATE = 'Oh oh! It seems my dog ate the code. Please try again later.';

interface Sending {
  /** Pattern of the URL that the form submits to. */
  request: string;
  send: Locator;
  /** Asserts that all typed values are kept. */
  unchanged: () => Promise<void>;
  /** The message shown when the server fails. */
  text?: string;
  /** The server executes the request and only its response is lost, so sending again must not count twice. */
  arrives?: boolean;
}

/** Makes the first request fail, after which the page shows an error and keeps the input. The next request succeeds, and a double click submits it once. */
export async function failThenSend(
  page: Page,
  { request, send, unchanged, text = DOG_ATE, arrives = false }: Sending,
): Promise<void> {
  let tell: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (tell = resolve));
  await page.route(request, async (route) => {
    // The page's own background requests are not the form's.
    if (route.request().method() === 'GET') return route.fallback();
    if (arrives) await route.fetch();
    await route.fulfill({ status: 500, json: { code: 'XX000', message: 'out of biscuits' } });
    tell();
  });
  await send.click();
  // The previous form's toast may still be visible.
  await answered;
  await expect(page.getByText(text).first()).toBeVisible();
  await unchanged();
  await page.unroute(request);
  await send.dblclick();
}
