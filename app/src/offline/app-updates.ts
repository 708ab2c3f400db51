// Registers the service worker, hands it what the page already fetched, and says when a newer version waits; nothing reloads by itself.
import { HOUR_MS } from '#/core/durations.ts';
import { loadLaterTexts, translate } from '#/i18n/i18n.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { nativePlatform } from '#/platform/native.ts';
import { showToast } from '#/ui/toast.ts';

const LOOK_AGAIN_MS = HOUR_MS;
/** How long the old worker may take to end what it is at, and then to make room. */
const PATIENCE_MS = 3000;
/** How long the new one may take to start and to note that it was chosen. */
const START_PATIENCE_MS = 15_000;

/**
 * Call once, when the first screen stands. Without service workers (an insecure address, a private window) nothing happens.
 * @param workerUrls URLs that the map's worker fetched: the page's own record does not name them
 */
export async function watchForUpdates(workerUrls: () => readonly string[]): Promise<void> {
  // A shell has its files already, and its updates come from a store.
  if (!import.meta.env.PROD || nativePlatform() || !('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register('/sw.js', {
      updateViaCache: 'none',
    });
    // One may be on its way already: this very visit can have found it.
    offerWhenInstalled(registration);
    void offerWaiting(registration);
    registration.addEventListener('updatefound', () => offerWhenInstalled(registration));
    lookAgainOnResume(registration);
    const { active } = await navigator.serviceWorker.ready;
    await loadLaterTexts();
    const urls = performance.getEntriesByType('resource').map((entry) => entry.name);
    active?.postMessage({ type: 'keep', urls: [...urls, ...workerUrls()] });
  } catch (error) {
    // The disk may be full or forbidden: the app works as a page.
    console.warn('No offline start on this device:', error);
  }
}

function offerWhenInstalled(registration: ServiceWorkerRegistration): void {
  const next = registration.installing;
  next?.addEventListener('statechange', () => {
    if (next.state === 'installed') void offerWaiting(registration);
  });
}

/** The first worker of a device takes over silently; a later one waits until the person is ready. */
async function offerWaiting(registration: ServiceWorkerRegistration): Promise<void> {
  if (!registration.waiting || !navigator.serviceWorker.controller) return;
  if (await isNewest()) return;
  showToast(translate('offline.update.ready'), {
    lasts: null,
    action: {
      label: translate('offline.update.reload'),
      onSelect: () => void takeOver(registration),
    },
  });
}

/** Only the tab that was asked reloads: another may hold a half-written review. */
async function takeOver(registration: ServiceWorkerRegistration): Promise<void> {
  let reloads = false;
  const reload = () => {
    if (!reloads) location.reload();
    reloads = true;
  };
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  // Chromium asks the old worker only once to make room; when a request comes to it right then, it stays for half a
  // minute after its last one. So ask when it has nothing to do.
  await answered(registration.active, 'when-quiet', PATIENCE_MS);
  // Otherwise another tab has let it in before.
  if (!registration.waiting) return reload();
  // A page that came before the new version is known as chosen would be the old one once more.
  await answered(registration.waiting, 'take-over', START_PATIENCE_MS);
  // Where the old worker stays, it serves the pages of the new version.
  setTimeout(reload, PATIENCE_MS);
}

/** Asks a worker, and waits until it says that it is done; no longer than `patience`, in ms. */
function answered(worker: ServiceWorker | null, type: string, patience: number): Promise<void> {
  return new Promise((resolve) => {
    const { port1: answer, port2: ask } = new MessageChannel();
    answer.onmessage = () => resolve();
    setTimeout(resolve, patience);
    worker?.postMessage({ type }, [ask]);
  });
}

/** This page is of the version that waits: the worker before it has not made room yet. */
async function isNewest(): Promise<boolean> {
  const newest = (await caches.keys()).findLast((name) => name.startsWith('app-'));
  const { src = '' } = document.querySelector<HTMLScriptElement>('script[type=module]') ?? {};
  return newest !== undefined && (await (await caches.open(newest)).match(src)) !== undefined;
}

function lookAgainOnResume(registration: ServiceWorkerRegistration): void {
  let looked = Date.now();
  onResume(() => {
    void offerWaiting(registration);
    if (Date.now() - looked < LOOK_AGAIN_MS) return;
    looked = Date.now();
    registration.update().catch(() => undefined);
  });
}
