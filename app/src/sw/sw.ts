// The service worker: starts the app without a network, keeps the park list, photos and tiles that were seen, and caches nothing personal.
import { picture } from './tiles.ts';

declare const self: ServiceWorkerGlobalScope;
/** Written in at build time (vite/service-worker.ts): the build's name, its files, and the script that its page starts. */
declare const __PRECACHE__: { version: string; files: string[]; onUse: string[]; entry: string };

const { version, files, onUse, entry } = __PRECACHE__;
const APP = `app-${version}`;
const LISTS = 'park-lists';
const PHOTOS = 'park-photos';
const MOST_PHOTOS = 80;

/** Paths that the host answers itself: never a page of the app. */
const NOT_PAGES =
  /^\/(?:(?:rest|auth|storage|functions|realtime)\/v1\/|inbox|metrics|healthz|readyz|\.well-known\/)|\.[a-z0-9]+$/i;
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

/** What the version before kept on use, such as the texts of the language: an update must not lose it. */
async function stemsInUse(): Promise<Set<string>> {
  const held = await Promise.all(
    (await caches.keys())
      .filter((name) => name.startsWith('app-'))
      .map(async (name) => (await caches.open(name)).keys()),
  );
  return new Set(held.flat().map(({ url }) => stem(new URL(url).pathname)));
}

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // Another tab may still run the version before: its files stay for one version more.
      const apps = (await caches.keys()).filter((name) => name.startsWith('app-'));
      const before = apps.filter((name) => name !== APP).slice(0, -1);
      await Promise.all(before.map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('message', (event) => {
  const message = event.data as { type?: string; urls?: string[] } | null;
  if (message?.type === 'take-over') void self.skipWaiting();
  if (message?.type === 'keep' && message.urls) event.waitUntil(keep(message.urls));
});

/** What the page fetched before this worker stood: the language's texts, fonts, the list of parks. */
async function keep(urls: string[]): Promise<void> {
  await Promise.allSettled(
    urls.map(async (address) => {
      const { pathname, origin } = new URL(address, self.location.origin);
      const isAsset = origin === self.location.origin && pathname.startsWith('/assets/');
      if (!isAsset && !PARK_LIST.test(pathname)) return;
      if (await caches.match(address)) return;
      await store(isAsset ? APP : LISTS, new Request(address), await fetch(address));
    }),
  );
}

/** A full disk is no reason to fail a request. */
async function store(name: string, request: Request, response: Response): Promise<void> {
  if (response.status !== 200) return;
  try {
    const cache = await caches.open(name);
    await cache.put(request, response.clone());
    if (name !== PHOTOS) return;
    const held = await cache.keys();
    await Promise.all(held.slice(0, -MOST_PHOTOS).map((oldest) => cache.delete(oldest)));
  } catch (error) {
    console.warn('Nothing more can be kept:', error);
  }
}

async function fromNetwork(request: Request, keepIn: string): Promise<Response> {
  const response = await fetch(request);
  void store(keepIn, request, response.clone());
  return response;
}

/** The page as this version knows it, at once; meanwhile its configuration is renewed, or a newer version found. */
async function page(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(APP);
  const held = await cache.match('/');
  if (!held) return fetch(event.request);
  event.waitUntil(
    fetch('/', { cache: 'no-cache' })
      .then(async (fresh) => {
        if (!fresh.ok) return;
        const isOurs = (await fresh.clone().text()).includes(entry);
        if (isOurs) await cache.put('/', fresh);
        else await self.registration.update();
      })
      .catch(() => undefined),
  );
  return held;
}

async function heldFirst(request: Request, name: string): Promise<Response> {
  return (await caches.match(request)) ?? fromNetwork(request, name);
}

async function heldThenRenewed(event: FetchEvent): Promise<Response> {
  const held = await caches.match(event.request);
  const fresh = fromNetwork(event.request, LISTS);
  if (!held) return fresh;
  event.waitUntil(fresh.catch(() => undefined));
  return held;
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const { origin, pathname } = new URL(request.url);
  const isOurs = origin === self.location.origin;
  if (request.mode === 'navigate') {
    if (isOurs && !NOT_PAGES.test(pathname)) event.respondWith(page(event));
  } else if (isOurs && (pathname.startsWith('/assets/') || files.includes(pathname))) {
    event.respondWith(heldFirst(request, APP));
  } else if (isOurs && pathname === '/config.json') {
    event.respondWith(
      fromNetwork(request, APP).catch(
        async (error: unknown) => (await caches.match(request)) ?? Promise.reject(error),
      ),
    );
  } else if (PARK_LIST.test(pathname)) {
    event.respondWith(heldThenRenewed(event));
  } else if (PARK_PHOTO.test(pathname)) {
    event.respondWith(heldFirst(request, PHOTOS));
  } else if (!isOurs && request.destination === 'image') {
    event.respondWith(picture(request));
  }
});
