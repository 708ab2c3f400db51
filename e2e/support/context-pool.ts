// Browser contexts, which tests share where they can, because a new one is a new process that compiles the app again.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { dataArrived, watchRequests } from './requests.ts';

/**
 * `shared`: without a service worker. Each page of a test has a separate context, whose data is deleted before the next test uses
 * it.
 * `installed`: one context in which the app is installed, with an active service worker and all files.
 * `own`: with service workers, for this test only, because a worker may still run while its context is cleaned.
 */
type Kind = 'shared' | 'installed' | 'own';

interface Pooled {
  kind: Kind;
  context: BrowserContext;
  /** A page of the site without the app. It keeps the process and its compiled code alive. */
  anchor: Page;
  inUse: boolean;
}

/** A worker's contexts. Init scripts would stay in a shared context, so they are added to pages. */
export class ContextPool {
  private contexts: Pooled[] = [];
  private readonly browser: Browser;
  private readonly origin: string;
  private readonly prepare: (context: BrowserContext) => Promise<unknown>;

  /** @param prepare sets a new context up before its first page */
  constructor(
    browser: Browser,
    origin: string,
    prepare: (context: BrowserContext) => Promise<unknown> = () => Promise.resolve(),
  ) {
    this.browser = browser;
    this.origin = origin;
    this.prepare = prepare;
  }

  /** Opens a page in a context without data of earlier tests. */
  async open(kind: Kind, options: BrowserContextOptions): Promise<Page> {
    const free = this.contexts.find(
      (one) => one.kind === kind && (kind === 'installed' || !one.inUse),
    );
    const pooled = free ?? (await this.create(kind, options));
    pooled.inUse = true;
    if (kind !== 'own') await this.clean(pooled);
    return pooled.context.newPage();
  }

  /** Closes a test's pages, because their activity must not affect the next test. The host finishes their requests first. */
  async endTest(): Promise<void> {
    await dataArrived();
    const kept: Pooled[] = [];
    for (const pooled of this.contexts) {
      if (pooled.inUse && (await isSpent(pooled))) {
        await pooled.context.close();
        continue;
      }
      for (const page of pooled.context.pages()) if (page !== pooled.anchor) await page.close();
      kept.push({ ...pooled, inUse: false });
    }
    this.contexts = kept;
  }

  async close(): Promise<void> {
    for (const { context } of this.contexts) await context.close();
  }

  private async create(kind: Kind, options: BrowserContextOptions): Promise<Pooled> {
    const context = await this.browser.newContext({
      ...options,
      serviceWorkers: kind === 'shared' ? 'block' : 'allow',
    });
    watchRequests(context);
    await this.prepare(context);
    const anchor = await context.newPage();
    await anchor.goto('/healthz');
    const pooled = { kind, context, anchor, inUse: true };
    this.contexts.push(pooled);
    if (kind === 'installed') {
      const page = await context.newPage();
      await page.goto('/about');
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await page.close();
    }
    return pooled;
  }

  /** Removes data of the previous test. */
  private async clean({ kind, context, anchor }: Pooled): Promise<void> {
    await context.unrouteAll();
    await context.clearPermissions();
    await context.setOffline(false);
    const session = await context.newCDPSession(anchor);
    await session.send('Storage.clearDataForOrigin', {
      origin: this.origin,
      storageTypes: kind === 'installed' ? 'cookies,indexeddb,local_storage' : 'all',
    });
    await session.detach();
    if (kind === 'installed')
      await anchor.evaluate(async () => {
        for (const name of await caches.keys())
          if (!name.startsWith('app-')) await caches.delete(name);
      });
  }
}

/** Returns whether the context cannot be reused. Playwright's clock, for example, cannot be removed from it. */
const isSpent = async ({ kind, anchor }: Pooled): Promise<boolean> =>
  kind === 'own' || (await anchor.evaluate(() => '__pwClock' in globalThis));
