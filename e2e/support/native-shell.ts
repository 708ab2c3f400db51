// The built app in a simulated shell: Capacitor's own bridge script, its origin and its plug-ins' real method names, with a device
// that the test controls.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { ContextPool } from './context-pool.ts';
import { saveData, test as base, type Language, type TestUser, type Site } from './test.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DIST = path.join(ROOT, 'app/dist');
const PACKAGES = path.join(ROOT, 'node_modules');
const BRIDGE = path.join(PACKAGES, '@capacitor/android/capacitor/src/main/assets/native-bridge.js');

/** Capacitor's origin on the device. */
export const ORIGIN = 'https://localhost';

interface Header {
  name: string;
  methods: { name: string; rtype?: 'promise' }[];
}

/** Methods of every plug-in's base class; only `addListener` responds more than once. */
const INHERITED: Header['methods'] = [
  { name: 'addListener' },
  { name: 'removeListener' },
  ...['removeAllListeners', 'checkPermissions', 'requestPermissions'].map((name) => ({
    name,
    rtype: 'promise' as const,
  })),
];

const named = (name: string, methods: readonly string[]): Header => ({
  name,
  methods: [
    ...INHERITED,
    ...methods.map((method) => ({ name: method, rtype: 'promise' as const })),
  ],
});

const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'app/package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** The plug-ins with the methods in their documentation, so calling a method that no device has fails here too. */
const DOCUMENTED = Object.keys(dependencies)
  .map((name) => path.join(PACKAGES, name, 'dist/docs.json'))
  .filter((file) => existsSync(file))
  .map((file) => {
    const { api } = JSON.parse(readFileSync(file, 'utf8')) as {
      api: { name: string; methods: { name: string }[] };
    };
    return named(
      api.name.replace(/Plugin$/, ''),
      api.methods.map(({ name }) => name),
    );
  });

/** Plug-ins that ship no documentation as data. */
const UNDOCUMENTED = [
  named('App', ['exitApp', 'getInfo', 'getLaunchUrl', 'getState', 'minimizeApp']),
  named('SecureStorage', ['internalGetItem', 'internalSetItem', 'internalRemoveItem']),
];

/** The secure storage plug-in that only the other platform has (capacitor.config.ts). */
const OF_THE_OTHER = { android: 'SecureStoragePlugin', ios: 'SecureStorage' };

const pluginHeaders = (platform: 'android' | 'ios'): Header[] =>
  [...DOCUMENTED, ...UNDOCUMENTED].filter(({ name }) => name !== OF_THE_OTHER[platform]);

/** A pseudo plug-in: the page reports that it has started. */
const PAGE = 'Page';

interface Call {
  callbackId: string;
  pluginId: string;
  methodName: string;
  options: Record<string, unknown>;
}

/** The device's responses; a thrown error rejects the call. */
export type Responses = Record<string, (options: Record<string, unknown>) => unknown>;

export class Device {
  readonly platform: 'android' | 'ios';
  /** Contents of the Keystore or keychain. */
  readonly secrets = new Map<string, string>();
  /** Every call as `Plugin.method`, with its options. */
  readonly calls: { name: string; options: Record<string, unknown> }[] = [];
  /** Overrides the device's responses. */
  responses: Responses = {};
  push: 'granted' | 'prompt' | 'denied' = 'prompt';
  location: 'granted' | 'prompt' | 'denied' = 'granted';
  /** The next token that the push service issues. */
  token = 'device-token-1';
  launchUrl: string | null = null;
  /** As from Android 15 on: the app does not set the status bar's colour. */
  edgeToEdge = false;
  private barColour = '#000000';
  private readonly listeners = new Map<string, string[]>();
  private readonly waiting = new Map<string, unknown[]>();
  private page: Page | null = null;

  constructor(platform: 'android' | 'ios') {
    this.platform = platform;
  }

  count(name: string): number {
    return this.calls.filter((call) => call.name === name).length;
  }

  attach(page: Page): void {
    this.page = page;
  }

  /** Emits an event to the app; with `keep`, it is stored for the first listener. */
  async emit(plugin: string, event: string, data: unknown, keep = false): Promise<void> {
    const key = `${plugin}.${event}`;
    const listeners = this.listeners.get(key) ?? [];
    if (listeners.length === 0) {
      if (!keep) throw new Error(`Nobody listens to ${key}`);
      this.waiting.set(key, [...(this.waiting.get(key) ?? []), data]);
      return;
    }
    for (const callbackId of listeners)
      await this.tell(
        { callbackId, pluginId: plugin, methodName: 'addListener', options: {} },
        data,
      );
  }

  listensTo(plugin: string, event: string): boolean {
    return (this.listeners.get(`${plugin}.${event}`) ?? []).length > 0;
  }

  async take(call: Call): Promise<void> {
    const { pluginId, methodName, options, callbackId } = call;
    // A new page has no listeners yet.
    if (pluginId === PAGE) this.listeners.clear();
    if (pluginId === PAGE) return;
    if (methodName === 'addListener') {
      const key = `${pluginId}.${String(options.eventName)}`;
      this.listeners.set(key, [...(this.listeners.get(key) ?? []), callbackId]);
      for (const data of this.waiting.get(key) ?? []) await this.tell(call, data);
      this.waiting.delete(key);
      return;
    }
    if (methodName === 'removeListener') {
      for (const [key, ids] of this.listeners)
        this.listeners.set(
          key,
          ids.filter((id) => id !== options.callbackId),
        );
      return;
    }
    const name = `${pluginId}.${methodName}`;
    this.calls.push({ name, options });
    try {
      const answer = this.responses[name] ?? this.usual()[name];
      await this.tell(call, (await answer?.(options)) ?? {});
    } catch (error) {
      await this.tell(call, undefined, { message: (error as Error).message });
    }
  }

  private async tell(call: Call, data: unknown, error?: { message: string }): Promise<void> {
    const { callbackId, pluginId, methodName } = call;
    const save = methodName === 'addListener';
    const result = { callbackId, pluginId, methodName, save, success: !error, data, error };
    // The page may be gone.
    await this.page
      ?.evaluate((told) => {
        (
          window as unknown as { Capacitor: { fromNative(told: unknown): void } }
        ).Capacitor.fromNative(told);
      }, result)
      .catch(() => undefined);
  }

  private usual(): Responses {
    const { secrets } = this;
    const key = (options: Record<string, unknown>) => String(options.prefixedKey ?? options.key);
    return {
      'App.getLaunchUrl': () => (this.launchUrl ? { url: this.launchUrl } : undefined),
      'SecureStorage.internalGetItem': (options) => ({ data: secrets.get(key(options)) ?? null }),
      'SecureStorage.internalSetItem': (options) =>
        void secrets.set(key(options), String(options.data)),
      'SecureStorage.internalRemoveItem': (options) => ({ success: secrets.delete(key(options)) }),
      'SecureStoragePlugin.keys': () => ({ value: [...secrets.keys()] }),
      'SecureStoragePlugin.get': (options) => {
        const value = secrets.get(key(options));
        if (value === undefined) throw new Error('Item with given key does not exist');
        return { value };
      },
      'SecureStoragePlugin.set': (options) => {
        secrets.set(key(options), String(options.value));
        return { value: true };
      },
      'SecureStoragePlugin.remove': (options) => ({ value: secrets.delete(key(options)) }),
      'Geolocation.checkPermissions': () => ({
        location: this.location,
        coarseLocation: this.location,
      }),
      'Geolocation.requestPermissions': () => {
        if (this.location === 'prompt') this.location = 'granted';
        return { location: this.location, coarseLocation: this.location };
      },
      'Geolocation.getCurrentPosition': () => ({
        timestamp: 0,
        coords: { latitude: 32.09992, longitude: 34.809212, accuracy: 20 },
      }),
      'PushNotifications.checkPermissions': () => ({ receive: this.push }),
      'PushNotifications.requestPermissions': () => {
        if (this.push === 'prompt') this.push = 'granted';
        return { receive: this.push };
      },
      'PushNotifications.register': () => {
        void this.emit('PushNotifications', 'registration', { value: this.token }, true);
      },
      'NativeSettings.open': () => ({ status: true }),
      'StatusBar.setBackgroundColor': ({ color }) => void (this.barColour = String(color)),
      'StatusBar.getInfo': () => ({ color: this.edgeToEdge ? '#000000' : this.barColour }),
    };
  }
}

interface ShellOptions {
  platform?: 'android' | 'ios';
  language?: Language;
  /** The user whose session is stored on the device. */
  user?: TestUser;
  /** The build includes Firebase's files. */
  push?: boolean;
  /** The host has Google's keys. */
  providers?: boolean;
  down?: boolean;
  /** The initial path. Tests that do not need the map start on another screen, because loading the map takes most of the time. */
  at?: string;
  prepare?: (device: Device) => void;
}

export interface Shell {
  page: Page;
  device: Device;
  context: BrowserContext;
}

async function serveFiles(page: Page, site: Site, push: boolean): Promise<void> {
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/site.json')
      return route.fulfill({ json: { siteUrl: site.url, push: { android: push, ios: push } } });
    // Like the device's own server: paths without a file get the page.
    const file = path.join(DIST, path.extname(pathname) ? pathname : 'index.html');
    return route.fulfill(existsSync(file) ? { path: file } : { status: 404, body: '' });
  });
}

async function open(shells: ContextPool, site: Site, options: ShellOptions): Promise<Shell> {
  const { platform = 'android', language = 'en', user, push = true, at = '/', prepare } = options;
  await shells.endTest();
  const page = await shells.open('shared', {
    baseURL: ORIGIN,
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
  });
  const context = page.context();
  // The shell's pages have another origin than the host on this machine. Browsers block their requests without this permission.
  // Older browsers do not know the permission and allow the requests.
  await context
    .grantPermissions(['local-network-access'], { origin: ORIGIN })
    .catch(() => undefined);
  const device = new Device(platform);
  const prefix = platform === 'android' ? 'capacitor-storage_' : '';
  if (user) device.secrets.set(`${prefix}packpark-session`, JSON.stringify(user.session));
  prepare?.(device);
  await serveFiles(page, site, push);
  if (options.down) await page.route(`${site.url}/**`, (route) => route.abort());
  if (options.providers)
    await page.route(`${site.url}/config.json`, async (route) => {
      const response = await route.fetch();
      const config = (await response.json()) as object;
      await route.fulfill({
        response,
        json: { ...config, providers: { google: true, apple: false } },
      });
    });
  await page.exposeFunction(
    'toDevice',
    (text: string) => void device.take(JSON.parse(text) as Call),
  );
  await page.addInitScript(
    ([platform, headers, language, known, begun]) => {
      const shell = window as unknown as Record<string, unknown>;
      const send = (text: string) => (shell.toDevice as (text: string) => void)(text);
      send(JSON.stringify({ pluginId: begun }));
      if (platform === 'android') shell.androidBridge = { postMessage: send };
      else
        shell.webkit = {
          messageHandlers: {
            bridge: { postMessage: (call: unknown) => send(JSON.stringify(call)) },
          },
        };
      shell.Capacitor = { PluginHeaders: headers };
      if (localStorage.getItem('language')) return;
      localStorage.setItem('language', language);
      // The device has started the app before; first starts have their own test.
      if (known) localStorage.setItem('device_id', crypto.randomUUID());
    },
    [platform, pluginHeaders(platform), language, user !== undefined, PAGE] as const,
  );
  await page.addInitScript({ path: BRIDGE });
  // Disables preloading, which would take as much processor time as the page. Screens are on the device anyway.
  await page.addInitScript(saveData);
  device.attach(page);
  await page.goto(at);
  return { page, device, context };
}

interface ShellFixtures {
  /** Starts the app in a separate shell, one at a time, until the end of the test. */
  openShell: (options?: ShellOptions) => Promise<Shell>;
}

/** One per browser, shared by the worker's tests, so the app is compiled once. */
const shellsOf = new WeakMap<Browser, ContextPool>();

export const test = base.extend<ShellFixtures>({
  openShell: async ({ browser, site }, use) => {
    const shells =
      shellsOf.get(browser) ??
      new ContextPool(browser, ORIGIN, (context) =>
        context.route(`${ORIGIN}/healthz`, (route) => route.fulfill({ body: '' })),
      );
    shellsOf.set(browser, shells);
    await use((options = {}) => open(shells, site, options));
    await shells.endTest();
  },
});
