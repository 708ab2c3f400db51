// Registers the service worker, hands it the files that the page has already fetched, and offers to reload when a new version is
// installed.
import { HOUR_MS } from '../../../shared/durations.ts';
import { loadLazyMessages, translate } from '#/i18n/i18n.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { nativePlatform } from '#/platform/native.ts';
import { showToast } from '#/ui/toast.ts';

const LOOK_AGAIN_MS = HOUR_MS;
/** Time limit for the old worker to finish its requests, and then to stop. */
const STOP_TIMEOUT_MS = 3000;
/** Time limit for the new worker to start and to store that it was chosen. */
const START_TIMEOUT_MS = 15_000;

/**
 * Call once, after the first screen is shown. Does nothing without service workers (insecure origin, private window).
 * @param workerUrls URLs that the map's worker has fetched, which are missing in the page's performance entries
 */
export async function watchForUpdates(workerUrls: () => readonly string[]): Promise<void> {
  // Native apps contain their files and are updated by a store.
  if (!import.meta.env.PROD || nativePlatform() || !('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register('/sw.js', {
      updateViaCache: 'none',
    });
    // This page load may already have found an update, which is then being installed.
    offerWhenInstalled(registration);
    void offerWaiting(registration);
    registration.addEventListener('updatefound', () => offerWhenInstalled(registration));
    lookAgainOnResume(registration);
    const { active } = await navigator.serviceWorker.ready;
    await loadLazyMessages();
    const urls = performance.getEntriesByType('resource').map((entry) => entry.name);
    active?.postMessage({ type: 'keep', urls: [...urls, ...workerUrls()] });
  } catch (error) {
    // The disk may be full or storage forbidden: the app then works without a service worker.
    console.warn('No offline start on this device:', error);
  }
}

function offerWhenInstalled(registration: ServiceWorkerRegistration): void {
  const next = registration.installing;
  next?.addEventListener('statechange', () => {
    if (next.state === 'installed') void offerWaiting(registration);
  });
}

/** The first worker on a device takes over silently; a later one waits until the user agrees. */
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

/** Reloads only the tab where the user agreed, because another tab may contain a half-written review. */
async function takeOver(registration: ServiceWorkerRegistration): Promise<void> {
  let reloads = false;
  const reload = () => {
    if (!reloads) location.reload();
    reloads = true;
  };
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  // Chromium asks the old worker to stop only once. If a request arrives at that moment, the worker stays for another half minute,
  // so wait until it is idle.
  await sendAndWait(registration.active, 'when-quiet', STOP_TIMEOUT_MS);
  // Another tab has already activated the new worker.
  if (!registration.waiting) return reload();
  // Wait until the new version is stored as chosen, because an earlier reload would load the old one again.
  await sendAndWait(registration.waiting, 'take-over', START_TIMEOUT_MS);
  // Reload even if the old worker keeps running, because it serves the pages of the chosen version.
  setTimeout(reload, STOP_TIMEOUT_MS);
}

/** Sends a message to a worker and waits for its reply, at most `timeout` milliseconds. */
function sendAndWait(worker: ServiceWorker | null, type: string, timeout: number): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    setTimeout(resolve, timeout);
    worker?.postMessage({ type }, [port2]);
  });
}

/** True if this page was already loaded from the waiting version, which an old worker serves until it stops. */
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
