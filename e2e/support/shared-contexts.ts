// Browser contexts that serve one journey after the other: a new one is a new process, which compiles the app anew.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';

interface SharedContext {
  context: BrowserContext;
  /** A page of the site that is no page of the app: while it stands, the process and what is compiled in it stay. */
  anchor: Page;
}

/**
 * What a worker keeps, beside the context that Playwright itself shares. Init scripts and Playwright's clock would stay in
 * a context: journeys set them on pages.
 */
export class SharedContexts {
  private installed: SharedContext | null = null;
  private readonly others: SharedContext[] = [];
  private used = 0;
  private readonly browser: Browser;
  private readonly origin: string;
  private readonly prepare: (context: BrowserContext) => Promise<unknown>;

  /** @param prepare what a new context needs before its first page */
  constructor(
    browser: Browser,
    origin: string,
    prepare: (context: BrowserContext) => Promise<unknown> = () => Promise.resolve(),
  ) {
    this.browser = browser;
    this.origin = origin;
    this.prepare = prepare;
  }

  /** A page of somebody else, beside those that the journey has already. */
  async openOther(options: BrowserContextOptions): Promise<Page> {
    const shared = (this.others[this.used] ??= await this.open(options));
    this.used += 1;
    return this.clean(shared, 'all');
  }

  /** A page in the one context where the app is installed: its worker stands, with all files of the app. */
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

  /** Ends the pages of a journey: what they still do must not reach into the next one. */
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

  /** Takes away what the journey before has left, and opens a page for this one. */
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
