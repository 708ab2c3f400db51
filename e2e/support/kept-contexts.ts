// Browser contexts that serve one journey after the other: a new one is a new process, which compiles the app anew.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';

/**
 * What a worker keeps, beside the context that Playwright itself shares. Init scripts and Playwright's clock would stay in
 * a context: journeys set them on pages.
 */
export class KeptContexts {
  private installed: BrowserContext | null = null;
  private readonly others: BrowserContext[] = [];
  private used = 0;
  private readonly browser: Browser;
  private readonly origin: string;

  constructor(browser: Browser, origin: string) {
    this.browser = browser;
    this.origin = origin;
  }

  /** A page of somebody else, beside those that the journey has already. */
  async openOther(options: BrowserContextOptions): Promise<Page> {
    const context = (this.others[this.used] ??= await this.browser.newContext(options));
    this.used += 1;
    return this.clean(context, 'all');
  }

  /** A page in the one context where the app is installed: its worker stands, with all files of the app. */
  async openInstalled(options: BrowserContextOptions): Promise<Page> {
    if (!this.installed) {
      this.installed = await this.browser.newContext({ ...options, serviceWorkers: 'allow' });
      const page = await this.installed.newPage();
      await page.goto('/about');
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    }
    const page = await this.clean(this.installed, 'cookies,indexeddb,local_storage');
    // At an address that the worker leaves to the host, so that the app does not begin again meanwhile.
    const cleaning = await this.installed.newPage();
    await cleaning.goto('/healthz');
    await cleaning.evaluate(async () => {
      for (const name of await caches.keys())
        if (!name.startsWith('app-')) await caches.delete(name);
    });
    await cleaning.close();
    return page;
  }

  /** Ends the pages of a journey: what they still do must not reach into the next one. */
  async endJourney(): Promise<void> {
    this.used = 0;
    for (const context of this.all) for (const page of context.pages()) await page.close();
  }

  async close(): Promise<void> {
    for (const context of this.all) await context.close();
  }

  private get all(): BrowserContext[] {
    return [...(this.installed ? [this.installed] : []), ...this.others];
  }

  /** Takes away what the journey before has left, and opens a page for this one. */
  private async clean(context: BrowserContext, storageTypes: string): Promise<Page> {
    await context.unrouteAll();
    await context.clearPermissions();
    await context.setOffline(false);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin: this.origin, storageTypes });
    await session.detach();
    return page;
  }
}
