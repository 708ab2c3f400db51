// The service worker: starts the app offline and caches the park list, photos and tiles, but no personal data.
import { API } from '../../../../shared/api-paths.ts';
import { isPage } from '#/core/is-page.ts';
import { MAX_CACHED_PHOTOS } from '#/offline/cache-limits.ts';
import { updateTileRules, handleImage } from '#/offline/service-worker/tiles.ts';
import { staleWhileRevalidate } from '#/offline/stale-while-revalidate.ts';

declare const self: ServiceWorkerGlobalScope;
/** Inserted at build time (vite/service-worker.ts): the version, its files, and the entry script of the page. */
declare const __PRECACHE__: { version: string; files: string[]; onUse: string[]; entry: string };

const { version, files, onUse, entry } = __PRECACHE__;
const APP = `app-${version}`;
const LISTS = 'park-lists';
const PHOTOS = 'park-photos';
/** Marks the files of a version that is running or was chosen by the user. */
const CHOSEN = '/chosen';
const QUIET_MS = 300;
const MAX_WAIT_MS = 10_000;

/**
 * Number of responses in progress, and when the last one ended. They show when the worker is idle and can be replaced without
 * delay.
 */
let responding = 0;
let lastResponse = 0;

/** Paths of the host that are not pages of the app. */
const NOT_PAGES =
  /^\/(?:embed\/|poster\/|inbox|metrics|healthz|readyz|\.well-known\/)|\.[a-z0-9]+$/i;
const PARK_LIST = /\/storage\/v1\/object\/public\/parks\/parks-[a-z]{2}\.json$/;
const PARK_PHOTO = /\/storage\/v1\/(?:object|render\/image)\/public\/parks\/\d+\//;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const used = await stemsInUse();
      const again = onUse.filter((file) => used.has(stem(file)));
      const cache = await caches.open(APP);
      await cache.addAll(['/', '/config.json', ...files, ...again]);
    })(),
  );
});

/** A file's name without its hash, to find the same file in another version. */
const stem = (file: string) => file.replace(/-[\w-]{8}(?=\.\w+$)/, '');

/** Files that the previous version cached on use, such as translations: an update must not lose them. */
async function stemsInUse(): Promise<Set<string>> {
  const cached = await Promise.all(
    (await versions()).map(async (name) => (await caches.open(name)).keys()),
  );
  return new Set(cached.flat().map(({ url }) => stem(new URL(url).pathname)));
}

/** The cache names of the stored versions, newest last. */
const versions = async () => (await caches.keys()).filter((name) => name.startsWith('app-'));

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const all = await versions();
      // Consider only versions older than this one, because a newer one may already be installing.
      const older = all.slice(0, Math.max(0, all.indexOf(APP)));
      // Another tab may still run the previous version, so its files are kept until the next update. A version that was never
      // activated is not used by any tab, so its files are deleted.
      const before = await newestChosen(older);
      const old = older.filter((name) => name !== before);
      await Promise.all(old.map((name) => caches.delete(name)));
      await choose();
      await self.clients.claim();
    })(),
  );
});

/** Marks this version as the one from which pages are served. */
const choose = () => cacheResponse(APP, new Request(CHOSEN), new Response());

async function newestChosen(names: readonly string[]): Promise<string | undefined> {
  for (const name of names.toReversed())
    if (await (await caches.open(name)).match(CHOSEN)) return name;
  return undefined;
}

self.addEventListener('message', (event) => {
  const message = event.data as { type?: string; urls?: string[] } | null;
  if (message?.type === 'take-over') event.waitUntil(takeOver(event.ports[0]));
  if (message?.type === 'when-quiet')
    event.waitUntil(quiet().then(() => event.ports[0]?.postMessage('quiet')));
  if (message?.type === 'keep' && message.urls) event.waitUntil(cacheFetched(message.urls));
});

async function takeOver(port?: MessagePort): Promise<void> {
  await choose();
  port?.postMessage('chosen');
  await self.skipWaiting();
}

async function quiet(): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS;
  while ((responding > 0 || performance.now() - lastResponse < QUIET_MS) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
}

function respond(event: FetchEvent, response: Promise<Response>): void {
  responding += 1;
  const done = () => {
    responding -= 1;
    lastResponse = performance.now();
  };
  response.then(done, done);
  event.respondWith(response);
}

/** Caches what the page fetched before this worker was active: translations, fonts, the park list. */
async function cacheFetched(urls: string[]): Promise<void> {
  await Promise.allSettled(
    urls.map(async (url) => {
      const { pathname, origin } = new URL(url, self.location.origin);
      const isAsset = origin === self.location.origin && pathname.startsWith('/assets/');
      if (!isAsset && !PARK_LIST.test(pathname)) return;
      if (await caches.match(url)) return;
      await cacheResponse(isAsset ? APP : LISTS, new Request(url), await fetch(url));
    }),
  );
}

/** Caches a response and consumes its body. A full disk must not fail the request. */
async function cacheResponse(name: string, request: Request, response: Response): Promise<void> {
  if (response.status !== 200) return;
  try {
    const cache = await caches.open(name);
    await cache.put(request, response);
    if (name !== PHOTOS) return;
    const photos = await cache.keys();
    await Promise.all(photos.slice(0, -MAX_CACHED_PHOTOS).map((oldest) => cache.delete(oldest)));
  } catch (error) {
    console.warn('Nothing more can be cached:', error);
  }
}

async function fromNetwork(request: Request, cacheName: string): Promise<Response> {
  const response = await fetch(request);
  // A captive portal has responded with its login page, which must not be cached as a file.
  if (isPage(response)) throw new TypeError('Received a web page instead of a file');
  void cacheResponse(cacheName, request, response.clone());
  return response;
}

/** The configuration; if it comes from the network, its rules for caching tiles take effect. */
async function config(request: Request): Promise<Response> {
  try {
    const fresh = await fromNetwork(request, APP);
    if (fresh.ok) await updateTileRules(fresh.clone()).catch(() => undefined);
    return fresh;
  } catch (error) {
    const cached = await cachedIn(APP, request);
    if (cached) return cached;
    throw error;
  }
}

/** The cached page of this version; its configuration is refreshed in the background. The browser finds newer versions itself. */
async function page(event: FetchEvent): Promise<Response> {
  // The user may have chosen a newer version. Until this older worker stops, it serves the page of that version.
  const name = (await newestChosen(await versions())) ?? APP;
  const cache = await caches.open(name);
  const cached = await cache.match('/');
  // The cached page contains its configuration and does not fetch it, so the worker refreshes it here.
  event.waitUntil(
    config(new Request('/config.json', { cache: 'no-cache' })).catch(() => undefined),
  );
  if (!cached) return fetch(event.request);
  if (name !== APP) return cached;
  event.waitUntil(
    fetch('/', { cache: 'no-cache' })
      .then(async (fresh) => {
        if (!fresh.ok) return;
        const isOurs = (await fresh.clone().text()).includes(entry);
        if (isOurs) await cache.put('/', fresh);
      })
      .catch(() => undefined),
  );
  return cached;
}

/** Files without a hash in their name exist in several versions: this version's file comes first. */
async function cachedIn(name: string, request: Request): Promise<Response | undefined> {
  return (await (await caches.open(name)).match(request)) ?? (await caches.match(request));
}

const cacheFirst = async (request: Request, name: string): Promise<Response> =>
  (await cachedIn(name, request)) ?? fromNetwork(request, name);

const list = (event: FetchEvent): Promise<Response> =>
  staleWhileRevalidate(
    // A request with cache 'no-cache' refreshes the list, so it must not get the cached one.
    async () => (event.request.cache === 'no-cache' ? undefined : caches.match(event.request)),
    () => fromNetwork(event.request, LISTS),
    (refresh) => event.waitUntil(refresh),
  );

/** The payload of a push (declarative Web Push). If the browser does not show it, this worker does. */
interface Push {
  notification?: {
    title?: string;
    body?: string;
    navigate?: string;
    lang?: string;
    dir?: 'rtl' | 'ltr';
    tag?: string;
  };
  app_badge?: number;
}

function readPush(data: PushMessageData | null): Push {
  try {
    return (data?.json() ?? {}) as Push;
  } catch {
    return {};
  }
}

self.addEventListener('push', (event) => {
  const { notification: { title = 'Packpark', navigate, ...shown } = {}, app_badge } = readPush(
    event.data,
  );
  event.waitUntil(
    Promise.all([
      // Every push must show a notification, as the subscription promised (userVisibleOnly).
      self.registration.showNotification(title, {
        ...shown,
        icon: '/icons/icon-192.png',
        data: navigate,
      }),
      navigator.setAppBadge?.(app_badge).catch(() => undefined),
    ]),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data ?? '/')));
});

/** Shows a page of the app in an open window, or in a new one. */
async function open(url: string): Promise<void> {
  const { origin, pathname, search } = new URL(url, self.location.origin);
  const target = origin === self.location.origin ? pathname + search : '/';
  const [client] = await self.clients.matchAll({ type: 'window' });
  const shown = await client?.navigate(target).catch(() => null);
  if (shown) await shown.focus();
  else await self.clients.openWindow(target);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const { origin, pathname } = new URL(request.url);
  const isOurs = origin === self.location.origin;
  if (request.mode === 'navigate') {
    if (isOurs && !API.test(pathname) && !NOT_PAGES.test(pathname)) respond(event, page(event));
  } else if (isOurs && (pathname.startsWith('/assets/') || files.includes(pathname))) {
    respond(event, cacheFirst(request, APP));
  } else if (isOurs && pathname === '/config.json') {
    respond(event, config(request));
  } else if (PARK_LIST.test(pathname)) {
    respond(event, list(event));
  } else if (PARK_PHOTO.test(pathname)) {
    respond(event, cacheFirst(request, PHOTOS));
  } else if (!isOurs && request.destination === 'image') {
    respond(
      event,
      handleImage(
        request,
        async () => (await cachedIn(APP, new Request('/config.json'))) ?? fetch('/config.json'),
      ),
    );
  }
});
