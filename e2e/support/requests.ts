// The data requests of all pages, for tests that wait until none is under way.
import type { BrowserContext, Request } from '@playwright/test';

const DATA = /^\/(?:rest|auth|storage|functions)\//;
/** The pause after which a page requests nothing that depends on the last response, in milliseconds. */
const PAUSE = 100;
/** Maximum waiting time in milliseconds, because a test may delay a response deliberately. */
const MAX_WAIT = 2000;

const underWay = new Set<Request>();
let changedAt = 0;

export function watchRequests(context: BrowserContext): void {
  context.on('request', (request) => {
    // A service worker sends the requests of its pages again.
    if (request.serviceWorker() || !DATA.test(new URL(request.url()).pathname)) return;
    underWay.add(request);
    changedAt = Date.now();
  });
  const end = (request: Request) => {
    if (underWay.delete(request)) changedAt = Date.now();
  };
  context.on('requestfinished', end).on('requestfailed', end);
  context.on('page', (page) =>
    page.once('close', () => {
      for (const request of underWay) if (request.frame().page() === page) underWay.delete(request);
    }),
  );
}

/**
 * Waits until the pages have received all data that they requested. A change of this data before the response would otherwise
 * fail the request, which the console check reports.
 */
export async function dataArrived(): Promise<void> {
  const end = Date.now() + MAX_WAIT;
  while (Date.now() < end && (underWay.size > 0 || Date.now() - changedAt < PAUSE))
    await new Promise((resolve) => setTimeout(resolve, PAUSE / 4));
}
