// A form that is sent to a server that fails first.
import { expect, type Locator, type Page } from '@playwright/test';

/** What the person reads of a failure that has no words of its own. */
export const DOG_ATE = 'Oh oh! It seems my dog ate the code. Please try again later.';

interface Sending {
  /** What the form sends, as a pattern of its address. */
  request: string;
  send: Locator;
  /** Looks whether all that was typed is still there. */
  unchanged: () => Promise<void>;
  /** What the person reads when the server fails. */
  text?: string;
  /** The server does it, and only its answer is lost: sent again it must not count twice. */
  arrives?: boolean;
}

/** The server fails, the person reads it and loses nothing; then it works, and an impatient double click sends once. */
export async function failThenSend(
  page: Page,
  { request, send, unchanged, text = DOG_ATE, arrives = false }: Sending,
): Promise<void> {
  let tell: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (tell = resolve));
  await page.route(request, async (route) => {
    // What the page asks for by itself meanwhile is not what the form sends.
    if (route.request().method() === 'GET') return route.fallback();
    if (arrives) await route.fetch();
    await route.fulfill({ status: 500, json: { code: 'XX000', message: 'out of biscuits' } });
    tell();
  });
  await send.click();
  // The toast of the form before may still be there.
  await answered;
  await expect(page.getByText(text).first()).toBeVisible();
  await unchanged();
  await page.unroute(request);
  await send.dblclick();
}
