// Shared by the offline tests: makes a device ready for offline use, and restarts the app.
import type { Page, Route } from '@playwright/test';
import { expect } from './test.ts';

/** Console errors of the browser and the router for requests without a network. */
export const CUT =
  /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|Failed to (fetch|load)|errors\.offline/;

/** Waits until the worker has cached the messages, the park list and the page. */
export async function readyForOffline(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const names = await caches.keys();
        const cached = await Promise.all(
          names.map(async (name) => (await (await caches.open(name)).keys()).map((one) => one.url)),
        );
        const urls = cached.flat().join(' ');
        return ['en.app.lazy-', 'parks-en.json', 'main-'].every((name) => urls.includes(name));
      }),
    )
    .toBe(true);
}

/** The value of a key in a store on this device; undefined if there is none. */
export const storedOn = (
  page: Page,
  database: string,
  store: string,
  key: string,
): Promise<unknown> =>
  page.evaluate(
    async ([databaseName, storeName, storeKey]) => {
      // Opening a missing database would create it without its store.
      const known = await indexedDB.databases();
      if (!known.some(({ name }) => name === databaseName)) return undefined;
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(new Error(String(request.error)));
        });
      const opened = await done(indexedDB.open(databaseName));
      const value: unknown = await done(
        opened.transaction(storeName).objectStore(storeName).get(storeKey),
      );
      opened.close();
      return value;
    },
    [database, store, key] as const,
  );

/** The cached queries on this device and their user; null if there are none. */
export async function cachedOn(page: Page) {
  const stored = (await storedOn(page, 'packpark-seen', 'queries', 'seen')) as
    | { userId: string | null; queries: unknown[] }
    | undefined;
  return stored ? { userId: stored.userId, text: JSON.stringify(stored.queries) } : null;
}

/** The inputs of the commands in the queue's store. */
export async function queuedInputs(page: Page): Promise<unknown[]> {
  const queue = await storedOn(page, 'packpark-commands', 'entries', 'commands');
  return ((queue as { input: unknown }[] | undefined) ?? []).map(({ input }) => input);
}

/** The number of commands in the queue's store. */
export const queuedOn = async (page: Page): Promise<number> => (await queuedInputs(page)).length;

/** Waits until this device has cached a response that contains this text. */
export async function expectCached(page: Page, words: string): Promise<void> {
  await expect.poll(async () => (await cachedOn(page))?.text ?? '').toContain(words);
}

const waiting = (page: Page) => page.getByRole('button', { name: /waiting to be sent/ });

/** Waits until the layout shows this number of queued commands. */
export async function expectQueued(page: Page, count = 1): Promise<void> {
  await expect(waiting(page)).toContainText(
    count === 1 ? '1 change is waiting to be sent' : `${count} changes are waiting to be sent`,
  );
}

export async function expectQueueEmpty(page: Page): Promise<void> {
  await expect(waiting(page)).toBeHidden();
}

/** Lets the server execute requests to a URL but drops the responses from now on. The returned function ends that. */
export async function dropResponses(page: Page, address: string): Promise<() => Promise<void>> {
  // Also drops requests in flight when it ends, because Playwright would let them pass.
  const underWay = new Set<Promise<void>>();
  let mended = false;
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort('connectionreset');
  };
  await page.context().route(address, async (route) => {
    if (mended || route.request().method() === 'GET') return route.fallback();
    const lost = lose(route);
    underWay.add(lost);
    await lost;
    underWay.delete(lost);
  });
  return async () => {
    mended = true;
    await Promise.all(underWay);
  };
}

/**
 * Shifts this device's clock from the next page on. Playwright's clock would replace the performance entries, in which the
 * app finds the files to cache.
 */
export async function shiftClock(page: Page, minutes: number): Promise<void> {
  await page.addInitScript((ms) => {
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...parts: unknown[]) {
        super(...((parts.length > 0 ? parts : [Real.now() + ms]) as [number]));
      }
      static override now(): number {
        return Real.now() + ms;
      }
    } as DateConstructor;
  }, minutes * 60_000);
}

/**
 * Sets the clock to the last 10:00 at the parks, because at night no verdict is good and no ground is in the sun. Never a future
 * time, at which visits would have expired.
 */
export async function makeItMorning(page: Page): Promise<void> {
  const hour = new Intl.DateTimeFormat('en', {
    timeZone: 'Asia/Jerusalem',
    hour: 'numeric',
    hourCycle: 'h23',
  }).format(new Date());
  const past = (Number(hour) - 10 + 24) % 24;
  await shiftClock(page, -past * 60 - (Date.now() % 3_600_000) / 60_000);
}
