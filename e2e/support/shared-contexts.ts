// Browser contexts shared by tests, because a new one is a new process that compiles the app again.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';

interface SharedContext {
  context: BrowserContext;
  /** A page of the site without the app, which keeps the process and its compiled code alive. */
  anchor: Page;
}

/**
 * A worker's contexts, in addition to the one that Playwright shares. Init scripts and Playwright's clock would stay in a context,
 * so tests set them on pages.
 */
export class SharedContexts {
  private installed: SharedContext | null = null;
  private readonly others: SharedContext[] = [];
  private used = 0;
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

  /** A page in another context than those that the test already uses. */
  async openOther(options: BrowserContextOptions): Promise<Page> {
    const shared = (this.others[this.used] ??= await this.open(options));
    this.used += 1;
    return this.clean(shared, 'all');
  }

  /** A page in the context in which the app is installed: its service worker is active and has cached all files. */
  async openInstalled(options: BrowserContextOptions): Promise<Page> {
    if (!this.installed) {
      this.installed = await this.open({ ...options, serviceWorkers: 'allow' });
      const page = await this.installed.context.newPage();
      await page.goto('/about');
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await this.endTest();
    }
    const page = await this.clean(this.installed, 'cookies,indexeddb,local_storage');
    await this.installed.anchor.evaluate(async () => {
      for (const name of await caches.keys())
        if (!name.startsWith('app-')) await caches.delete(name);
    });
    return page;
  }

  /** Closes a test's pages, because their activity must not affect the next test. */
  async endTest(): Promise<void> {
    this.used = 0;
    for (const { context, anchor } of this.all)
      for (const page of context.pages()) if (page !== anchor) await page.close();
  }

  async close(): Promise<void> {
    for (const { context } of this.all) await context.close();
  }

  private get all(): SharedContext[] {
    return [...(this.installed ? [this.installed] : []), ...this.others];
  }

  private async open(options: BrowserContextOptions): Promise<SharedContext> {
    const context = await this.browser.newContext(options);
    await this.prepare(context);
    const anchor = await context.newPage();
    await anchor.goto('/healthz');
    return { context, anchor };
  }

  /** Removes data of the previous test, and opens a page. */
  private async clean({ context, anchor }: SharedContext, storageTypes: string): Promise<Page> {
    await context.unrouteAll();
    await context.clearPermissions();
    await context.setOffline(false);
    const session = await context.newCDPSession(anchor);
    await session.send('Storage.clearDataForOrigin', { origin: this.origin, storageTypes });
    await session.detach();
    return context.newPage();
  }
}
