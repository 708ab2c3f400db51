// Fixtures of every e2e test: a real host per worker, users who can log in, and pages that fail on console errors.
import { randomUUID } from 'node:crypto';
import { copyFile, cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { createClient, type Session, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import WebSocket from 'ws';
import { startHostProcess } from '../../testing/host-process.ts';
import { statement, type Statement } from '../../testing/statement.ts';
import { startExternalServices, type ExternalServices } from './external-services.ts';
import type { Database } from '../../shared/database.types.ts';
import type { Theme } from '../../shared/enums.ts';
import type { Language } from '../../shared/languages.ts';
import { ContextPool } from './context-pool.ts';
import { waitForClosedSheets } from './navigation.ts';
import { dataArrived } from './requests.ts';
import { TEST_MAP } from './test-map.ts';

export type { Language, Theme };

/** A user with an account; `client` acts as the user without the browser. */
export interface TestUser {
  id: string;
  name: string;
  email: string;
  password: string;
  session: Session;
  client: SupabaseClient<Database>;
}

/** Queries, which do not wait for the pages' requests. */
const QUERY = /^\s*select(?! (?:public|private)\.)/;

export interface Site {
  url: string;
  connectionString: string;
  dataDir: string;
  external: ExternalServices;
  /** Runs SQL as superuser, for changes that no user could make (such as moving a clock). */
  sql<R extends pg.QueryResultRow>(...sql: Statement): Promise<R[]>;
  /** Signs a user up through the API; the default name is unique. */
  user(name?: string): Promise<TestUser>;
  client(): SupabaseClient<Database>;
}

interface Options {
  language: Language;
  theme: Theme;
  /**
   * Preloading of other screens while idle. Off by default, because it takes as much processor time as the page; offline tests
   * without a worker need it.
   */
  preloads: boolean;
  /**
   * `pageFor` opens pages in the worker's context in which the app is installed, with an active service worker and all files.
   * Installing it again would take as much processor time as the test.
   */
  installed: boolean;
  /** Additional settings of the host, which is then separate from the worker's other host. */
  hostSettings: Record<string, string>;
}

type PageOptions = Omit<Options, 'installed' | 'hostSettings'>;

interface Fixtures {
  site: Site;
  /** A page with `language` and `theme`, not logged in. */
  page: Page;
  /** Opens a separate browser context, optionally logged in. */
  pageFor(user?: TestUser, options?: Partial<PageOptions> & { at?: string }): Promise<Page>;
  /** Console messages that this test expects. */
  allowedErrors: RegExp[];
}

/** Too imprecise to identify a park; tests that need a precise location set it (see standAt). */
const DEFAULT_LOCATION = { latitude: 32.09992, longitude: 34.809212, accuracy: 5000 };

/** @param settings of the host; without the demo the database is empty */
export async function startSite(
  worker: number,
  settings: Record<string, string>,
): Promise<Site & { close(): Promise<void> }> {
  const { E2E_ADMIN_CONNECTION, E2E_TEMPLATE_DATA, E2E_FOLDER } = process.env;
  if (!E2E_ADMIN_CONNECTION || !E2E_TEMPLATE_DATA || !E2E_FOLDER)
    throw new Error('The global setup has not run');
  const name = `worker_${worker}_${randomUUID().slice(0, 8)}`;
  const admin = new pg.Client(E2E_ADMIN_CONNECTION);
  await admin.connect();
  const withDemo = settings.DEMO !== 'false';
  await admin.query(
    `create database ${name} ${withDemo ? 'template packpark_template strategy file_copy' : ''}`,
  );
  await admin.end();
  const connectionString = E2E_ADMIN_CONNECTION.replace('/postgres?', `/${name}?`);
  const dataDir = path.join(E2E_FOLDER, name);
  if (withDemo) await cp(E2E_TEMPLATE_DATA, dataDir, { recursive: true });
  // The host does not start without the file that MAP_FILE names.
  if (settings.MAP_FILE !== undefined && !path.isAbsolute(settings.MAP_FILE)) {
    await mkdir(dataDir, { recursive: true });
    await copyFile(TEST_MAP, path.join(dataDir, settings.MAP_FILE));
  }

  const external = await startExternalServices();
  const host = await startHostProcess({
    DATABASE_URL: connectionString,
    DATA_DIR: dataDir,
    DEMO: 'true',
    // Away from the parks that tests mark as imported.
    START_PLACE: `${DEFAULT_LOCATION.latitude},${DEFAULT_LOCATION.longitude}`,
    LOG_LEVEL: 'warn',
    TILE_URL: `${external.url}/tiles/{z}/{x}/{y}.png`,
    WEATHER_URL: external.url,
    GEOCODER_URL: external.url,
    ROUTER_URL: external.url,
    AUTH_RATE_LIMIT: '1000000',
    BACKUP_DOWNLOAD: 'true',
    CAPTCHA_URL: `${external.url}/siteverify`,
    ...settings,
  });
  const pool = new pg.Pool({ connectionString, max: 2 });
  const { anonKey } = (await (await fetch(`${host.url}/config.json`)).json()) as {
    anonKey: string;
  };

  const client = () =>
    createClient<Database>(host.url, anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      realtime: { transport: WebSocket as never },
      global: {
        fetch: async (...request) => {
          await dataArrived();
          return fetch(...request);
        },
      },
    });

  return {
    url: host.url,
    connectionString,
    dataDir,
    external,
    client,
    async sql(...sql) {
      const [text, values] = statement(sql);
      if (!QUERY.test(text)) await dataArrived();
      return (await pool.query(text, values)).rows;
    },
    async user(name = `User ${randomUUID().slice(0, 8)}`) {
      const own = client();
      const email = `${randomUUID()}@example.test`;
      const password = `walk ${randomUUID()}`;
      const { data, error } = await own.auth.signUp({
        email,
        password,
        options: { data: { full_name: name, age_confirmed: true } },
      });
      if (error) throw error;
      if (!data.session || !data.user) throw new Error('Signing up gave no session');
      return { id: data.user.id, name, email, password, session: data.session, client: own };
    },
    async close() {
      await pool.end();
      await host.stop();
      await external.close();
    },
  };
}

/** Injected: enables the browser's data-saving mode, which the app obeys. */
export function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

async function prepare(
  page: Page,
  site: Site,
  { language, theme, preloads }: PageOptions,
  user?: TestUser,
): Promise<void> {
  // All tests of a worker share an IP address, and together would exceed its daily limit.
  await site.sql(`delete from private.rate_limits where operation like 'service %'`);
  const context = page.context();
  await context.grantPermissions(['geolocation'], { origin: site.url });
  await context.setGeolocation(DEFAULT_LOCATION);
  if (!preloads) await page.addInitScript(saveData);
  await page.addInitScript(
    ([language, theme, session]) => {
      // A busy machine may take longer to locate the page than the app waits.
      const { geolocation } = navigator;
      const locate = geolocation.getCurrentPosition.bind(geolocation);
      geolocation.getCurrentPosition = (found, failed, options) =>
        locate(found, failed, { ...options, timeout: Infinity });
      // Later loads keep the user's choices, so this runs before the first load only.
      if (sessionStorage.getItem('prepared')) return;
      sessionStorage.setItem('prepared', 'yes');
      localStorage.setItem('language', language);
      localStorage.setItem('theme', theme);
      // The default location is at a park; the app has already asked about it.
      localStorage.setItem('offeredAtPark', `1 ${Date.now()}`);
      localStorage.setItem('welcomed', 'yes');
      if (session) localStorage.setItem('packpark-session', session);
    },
    [language, theme, user ? JSON.stringify(user.session) : ''] as const,
  );
}

/**
 * Polls every second instead of every 15 seconds on this page, from its next load on. Waiting longer for the first poll would not
 * test more.
 */
export async function shortenPolling(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const original = globalThis.setInterval;
    globalThis.setInterval = ((task: () => void, ms?: number, ...rest: unknown[]) =>
      original(task, ms === 15_000 ? 1000 : ms, ...rest)) as typeof setInterval;
  });
}

/** Collects a page's errors; pages of `page` and `pageFor` are already watched. */
export function watchConsole(page: Page, into: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') into.push(`${message.text()} ${message.location().url}`.trim());
  });
  page.on('pageerror', (error) => into.push(error.stack ?? String(error)));
}

function waitForSheetsBeforeNavigating(page: Page): void {
  const { goto, reload } = page;
  const after = <Answer>(navigate: () => Promise<Answer>) =>
    waitForClosedSheets(page)
      .then(navigate)
      .catch((error: unknown) => {
        if (!String(error).includes('ERR_ABORTED')) throw error;
        return navigate();
      });
  page.goto = (...to) => after(() => goto.call(page, ...to));
  page.reload = (...how) => after(() => reload.call(page, ...how));
}

interface Automatic {
  open: OpenSite;
  /** Resets the external services, which all tests of a worker share. */
  resetExternal: undefined;
}

interface OpenSite {
  site: Site & { close(): Promise<void> };
  contexts: ContextPool;
}

interface WorkerFixtures {
  /** The site with these settings, started for the worker's first test that needs it. */
  sites: (settings: Record<string, string>) => Promise<OpenSite>;
}

export const test = base.extend<Fixtures & Options & Automatic, WorkerFixtures>({
  language: ['en', { option: true }],
  theme: ['light', { option: true }],
  preloads: [false, { option: true }],
  installed: [false, { option: true }],
  hostSettings: [{}, { option: true }],
  allowedErrors: [[], { option: true }],

  // The settings are not a worker-scoped option, because Playwright would restart the worker and its browser for other values.
  sites: [
    async ({ browser }, use, info) => {
      const known = new Map<string, Promise<OpenSite>>();
      const start = async (settings: Record<string, string>) => {
        const site = await startSite(info.parallelIndex, settings);
        return { site, contexts: new ContextPool(browser, site.url) };
      };
      await use((settings) => {
        const key = JSON.stringify(settings);
        const found = known.get(key) ?? start(settings);
        known.set(key, found);
        // Failed starts are removed, because closing one would fail and leave the others open.
        found.catch(() => known.delete(key));
        return found;
      });
      for (const { site, contexts } of await Promise.all(known.values())) {
        await contexts.close();
        await site.close();
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  open: [
    async ({ sites, hostSettings }, use) => use(await sites(hostSettings)),
    { timeout: 120_000 },
  ],

  site: async ({ open }, use) => use(open.site),

  resetExternal: [
    async ({ site }, use) => {
      site.external.reset();
      await use(undefined);
    },
    { auto: true },
  ],

  baseURL: async ({ site }, use) => use(site.url),

  page: async ({ pageFor }, use) => use(await pageFor()),
  context: async ({ page }, use) => use(page.context()),

  pageFor: async (
    {
      open: { site, contexts },
      language,
      theme,
      preloads,
      installed,
      allowedErrors,
      viewport,
      serviceWorkers,
    },
    use,
  ) => {
    const errors: string[] = [];
    const kind = installed ? 'installed' : serviceWorkers === 'block' ? 'shared' : 'own';
    await use(async (user, { at, ...asked } = {}) => {
      const page = await contexts.open(kind, { baseURL: site.url, viewport });
      await prepare(page, site, { language, theme, preloads, ...asked }, user);
      watchConsole(page, errors);
      waitForSheetsBeforeNavigating(page);
      if (at !== undefined) await page.goto(at);
      return page;
    });
    await contexts.endTest();
    expectNoErrors(errors, allowedErrors);
  },
});

function expectNoErrors(errors: string[], allowed: RegExp[]): void {
  const unexpected = errors.filter((text) => !allowed.some((pattern) => pattern.test(text)));
  if (unexpected.length > 0) throw new Error(`The console shows errors:\n${unexpected.join('\n')}`);
}

export { expect } from '@playwright/test';
