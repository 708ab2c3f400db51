// What the journeys without a network share: a device that is ready for it, and a restart of the app.
import type { Page, Route } from '@playwright/test';
import { expect } from './test.ts';

/** What a browser and the router write for each request that a cut network refuses. */
export const CUT =
  /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|Failed to (fetch|load)|errors\.offline/;

/** The worker stands and holds the texts, the list of parks and the page. */
export async function readyForOffline(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const names = await caches.keys();
        const cached = await Promise.all(
          names.map(async (name) => (await (await caches.open(name)).keys()).map((one) => one.url)),
        );
        const urls = cached.flat().join(' ');
        return ['en.app.later-', 'parks-en.json', 'main-'].every((name) => urls.includes(name));
      }),
    )
    .toBe(true);
}

/** What lies under a key of a store on this device; undefined: nothing. */
export const storedOn = (
  page: Page,
  database: string,
  store: string,
  key: string,
): Promise<unknown> =>
  page.evaluate(
    async ([databaseName, storeName, storeKey]) => {
      // Opening one that is not there would make it, without its store.
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

/** What this device keeps over a restart, and for whom; null: nothing. */
export async function cachedOn(page: Page) {
  const stored = (await storedOn(page, 'packpark-seen', 'queries', 'seen')) as
    | { userId: string | null; queries: unknown[] }
    | undefined;
  return stored ? { userId: stored.userId, text: JSON.stringify(stored.queries) } : null;
}

/** What the commands say that wait in the queue's own store. */
export async function queuedInputs(page: Page): Promise<unknown[]> {
  const queue = await storedOn(page, 'packpark-commands', 'entries', 'commands');
  return ((queue as { input: unknown }[] | undefined) ?? []).map(({ input }) => input);
}

/** How many commands wait in the queue's own store, whatever the layout says. */
export const queuedOn = async (page: Page): Promise<number> => (await queuedInputs(page)).length;

/** This device keeps an answer with these words. */
export async function expectCached(page: Page, words: string): Promise<void> {
  await expect.poll(async () => (await cachedOn(page))?.text ?? '').toContain(words);
}

const waiting = (page: Page) => page.getByRole('button', { name: /waits? to be sent/ });

/** One command waits on the device, and the layout says so. */
export async function expectQueued(page: Page, count = 1): Promise<void> {
  await expect(waiting(page)).toContainText(
    count === 1 ? '1 thing waits to be sent' : `${count} things wait to be sent`,
  );
}

export async function expectQueueEmpty(page: Page): Promise<void> {
  await expect(waiting(page)).toBeHidden();
}

/** The server does what an address is asked for, but no answer comes, from now on. The returned function mends that. */
export async function loseAnswers(page: Page, address: string): Promise<() => Promise<void>> {
  // A request that is on its way when the network is mended is lost, too: Playwright would let it pass.
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
 * Sets this device's clock beside the true one, from the next page on. Playwright's own clock would replace the
 * performance records, by which the app knows what to keep.
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
 * The last ten in the morning at the parks: at night nothing is called good, and no ground is in the sun. Never a coming one, at
 * which the stay of a check-in would be over; and on the hour, so that it is not eleven a moment later.
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
