// The service worker: starts the app without a network, caches the park list, photos and tiles that were seen, and nothing personal.
import { API } from '../../../../shared/api-paths.ts';
import { isPage } from '#/core/is-page.ts';
import { MOST_CACHED_PHOTOS } from '#/offline/limits.ts';
import { learnTileRules, picture } from '#/offline/service-worker/tiles.ts';
import { staleWhileRevalidate } from '#/offline/stale-while-revalidate.ts';

declare const self: ServiceWorkerGlobalScope;
/** Written in at build time (vite/service-worker.ts): the build's name, its files, and the script that its page starts. */
declare const __PRECACHE__: { version: string; files: string[]; onUse: string[]; entry: string };

const { version, files, onUse, entry } = __PRECACHE__;
const APP = `app-${version}`;
const LISTS = 'park-lists';
const PHOTOS = 'park-photos';
/** Lies among the files of a version that somebody runs or said yes to. */
const CHOSEN = '/chosen';
const QUIET_MS = 300;
const MOST_PATIENCE_MS = 10_000;

/** Answers on their way, and when the last one went: a worker with nothing to do can make room for the next at once. */
let answering = 0;
let lastAnswer = 0;

/** What else the host answers itself: never a page of the app. */
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

/** A file's name without its hash: the same file in another version. */
const stem = (file: string) => file.replace(/-[\w-]{8}(?=\.\w+$)/, '');

/** What the version before cached on use, such as the texts of the language: an update must not lose it. */
async function stemsInUse(): Promise<Set<string>> {
  const cached = await Promise.all(
    (await versions()).map(async (name) => (await caches.open(name)).keys()),
  );
  return new Set(cached.flat().map(({ url }) => stem(new URL(url).pathname)));
}

/** The names of the versions whose files are here, the newest last. */
const versions = async () => (await caches.keys()).filter((name) => name.startsWith('app-'));

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const all = await versions();
      // A newer one may be on its way already.
      const older = all.slice(0, Math.max(0, all.indexOf(APP)));
      // Another tab may still run the version before: its files stay for one version more. One that only waited has no tab.
      const before = await newestChosen(older);
      const old = older.filter((name) => name !== before);
      await Promise.all(old.map((name) => caches.delete(name)));
      await choose();
      await self.clients.claim();
    })(),
  );
});

/** Pages are of this version from now on. */
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

async function takeOver(asking?: MessagePort): Promise<void> {
  await choose();
  asking?.postMessage('chosen');
  await self.skipWaiting();
}

async function quiet(): Promise<void> {
  const end = performance.now() + MOST_PATIENCE_MS;
  while ((answering > 0 || performance.now() - lastAnswer < QUIET_MS) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
}

function answer(event: FetchEvent, response: Promise<Response>): void {
  answering += 1;
  const done = () => {
    answering -= 1;
    lastAnswer = performance.now();
  };
  response.then(done, done);
  event.respondWith(response);
}

/** What the page fetched before this worker stood: the language's texts, fonts, the list of parks. */
async function cacheFetched(urls: string[]): Promise<void> {
  await Promise.allSettled(
    urls.map(async (address) => {
      const { pathname, origin } = new URL(address, self.location.origin);
      const isAsset = origin === self.location.origin && pathname.startsWith('/assets/');
      if (!isAsset && !PARK_LIST.test(pathname)) return;
      if (await caches.match(address)) return;
      await cacheResponse(isAsset ? APP : LISTS, new Request(address), await fetch(address));
    }),
  );
}

/** Caches a response, which is read to its end by that. A full disk is no reason to fail a request. */
async function cacheResponse(name: string, request: Request, response: Response): Promise<void> {
  if (response.status !== 200) return;
  try {
    const cache = await caches.open(name);
    await cache.put(request, response);
    if (name !== PHOTOS) return;
    const photos = await cache.keys();
    await Promise.all(photos.slice(0, -MOST_CACHED_PHOTOS).map((oldest) => cache.delete(oldest)));
  } catch (error) {
    console.warn('Nothing more can be cached:', error);
  }
}

async function fromNetwork(request: Request, cacheName: string): Promise<Response> {
  const response = await fetch(request);
  // Of a network that asks for a login of its own: it must not lie here under the name of a file.
  if (isPage(response)) throw new TypeError('A page came instead of a file');
  void cacheResponse(cacheName, request, response.clone());
  return response;
}

/** The configuration, and where the network has it, its word on what may be cached. */
async function config(request: Request): Promise<Response> {
  try {
    const fresh = await fromNetwork(request, APP);
    if (fresh.ok) await learnTileRules(fresh.clone()).catch(() => undefined);
    return fresh;
  } catch (error) {
    const cached = await cachedIn(APP, request);
    if (cached) return cached;
    throw error;
  }
}

/** The page as this version knows it, at once; meanwhile its configuration is renewed. A newer version the browser finds by itself. */
async function page(event: FetchEvent): Promise<Response> {
  // A newer one that somebody said yes to may still wait for this worker to end.
  const name = (await newestChosen(await versions())) ?? APP;
  const cache = await caches.open(name);
  const cached = await cache.match('/');
  // The cached page has its configuration in it, and so does not ask for it.
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

/** What has no hash in its name lies among the files of several versions: this one's come first. */
async function cachedIn(name: string, request: Request): Promise<Response | undefined> {
  return (await (await caches.open(name)).match(request)) ?? (await caches.match(request));
}

const cacheFirst = async (request: Request, name: string): Promise<Response> =>
  (await cachedIn(name, request)) ?? fromNetwork(request, name);

const list = (event: FetchEvent): Promise<Response> =>
  staleWhileRevalidate(
    () => caches.match(event.request),
    () => fromNetwork(event.request, LISTS),
    (renewal) => event.waitUntil(renewal),
  );

/** What a push says (declarative Web Push); where the browser does not show it by itself, this worker does. */
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
      // Always something that is seen, as every subscription promises.
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

/** Shows a page of the app in the window that is open, else in a new one. */
async function open(address: string): Promise<void> {
  const { origin, pathname, search } = new URL(address, self.location.origin);
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
    if (isOurs && !API.test(pathname) && !NOT_PAGES.test(pathname)) answer(event, page(event));
  } else if (isOurs && (pathname.startsWith('/assets/') || files.includes(pathname))) {
    answer(event, cacheFirst(request, APP));
  } else if (isOurs && pathname === '/config.json') {
    answer(event, config(request));
  } else if (PARK_LIST.test(pathname)) {
    answer(event, list(event));
  } else if (PARK_PHOTO.test(pathname)) {
    answer(event, cacheFirst(request, PHOTOS));
  } else if (!isOurs && request.destination === 'image') {
    answer(
      event,
      picture(
        request,
        async () => (await cachedIn(APP, new Request('/config.json'))) ?? fetch('/config.json'),
      ),
    );
  }
});
