// Registers the service worker, hands it what the page already fetched, and says when a newer version waits; nothing reloads by itself.
import { preferredLanguage, translate } from '#/i18n/i18n.ts';
import { getConfig } from '#/lib/config.ts';
import { parkFileUrl } from '#/lib/park-file.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { nativePlatform } from '#/platform/native.ts';
import { showToast } from '#/ui/toast.ts';

const LOOK_AGAIN_MS = 60 * 60 * 1000;
const ASK_AGAIN_MS = 500;

/** Call once, when the first screen stands. Without service workers (an insecure address, a private window) nothing happens. */
export async function watchForUpdates(): Promise<void> {
  // A shell has its files already, and its updates come from a store.
  if (!import.meta.env.PROD || nativePlatform() || !('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register('/sw.js', {
      updateViaCache: 'none',
    });
    offerWaiting(registration);
    // One may be on its way already: this very visit can have found it.
    offerWhenInstalled(registration);
    registration.addEventListener('updatefound', () => offerWhenInstalled(registration));
    lookAgainOnResume(registration);
    const { active } = await navigator.serviceWorker.ready;
    const urls = performance.getEntriesByType('resource').map((entry) => entry.name);
    // The map's worker fetched the list, so the page's own record does not name it.
    const list = parkFileUrl(getConfig().supabaseUrl, preferredLanguage());
    active?.postMessage({ type: 'keep', urls: [...urls, list] });
  } catch (error) {
    // The disk may be full or forbidden: the app works as a page.
    console.warn('No offline start on this device:', error);
  }
}

function offerWhenInstalled(registration: ServiceWorkerRegistration): void {
  const next = registration.installing;
  next?.addEventListener('statechange', () => {
    if (next.state === 'installed') offerWaiting(registration);
  });
}

/** The first worker of a device takes over silently; a later one waits until the person is ready. */
function offerWaiting(registration: ServiceWorkerRegistration): void {
  const { waiting } = registration;
  if (!waiting || !navigator.serviceWorker.controller) return;
  showToast(translate('pocket.update.ready'), {
    stays: true,
    action: {
      label: translate('pocket.update.reload'),
      onSelect: () => {
        const takeOver = () => waiting.postMessage({ type: 'take-over' });
        // Chromium asks a busy worker only once to make room, and then waits minutes: each new wish asks it again.
        const asking = setInterval(takeOver, ASK_AGAIN_MS);
        // Only the tab that was asked reloads: another may hold a half-written review.
        navigator.serviceWorker.addEventListener(
          'controllerchange',
          () => {
            clearInterval(asking);
            location.reload();
          },
          { once: true },
        );
        takeOver();
      },
    },
  });
}

function lookAgainOnResume(registration: ServiceWorkerRegistration): void {
  let looked = Date.now();
  onResume(() => {
    offerWaiting(registration);
    if (Date.now() - looked < LOOK_AGAIN_MS) return;
    looked = Date.now();
    registration.update().catch(() => undefined);
  });
}
