// Starts everything that the first screen does not need. One file, because each separate file costs a round trip.
import { parkFileUrl } from '#/entities/parks/park-list-file.ts';
import { fetchListedPark } from '#/entities/parks/load-park.ts';
import { fetchErrorScreen } from '#/features/shell/components/lazy-error-screen.tsx';
import { watchErrors } from '#/features/shell/commands/report-errors.ts';
import { loadLazyMessages, preferredLanguage } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { preloadRoutesWhenIdle } from '#/core/preload-routes.ts';
import { preloadCommands } from '#/offline/command-queue/registry.ts';
import { watchForUpdates } from '#/offline/app-updates.ts';
import { whenLoggedIn } from '#/data/session/session.ts';
import { nativePlatform } from '#/platform/native.ts';
import type { router } from '#/router.tsx';

/** Starts each part; failures are only logged. */
export function startAfterFirstScreen(theRouter: typeof router): void {
  const start = (name: string, begin: () => Promise<unknown>) =>
    void begin().catch((error: unknown) => console.warn(`Starting ${name}:`, error));
  watchErrors();
  preloadRoutesWhenIdle(theRouter, () =>
    Promise.all([loadLazyMessages(), fetchErrorScreen(), fetchListedPark()]),
  );
  start('app-updates', () =>
    watchForUpdates(() => [parkFileUrl(getConfig().supabaseUrl, preferredLanguage())]),
  );
  start('commands', async () => {
    await whenLoggedIn();
    await preloadCommands();
  });
  start('prefetch', async () => {
    await whenLoggedIn();
    (await import('#/prefetch-own-data.ts')).startPrefetchOfOwnData();
  });
  if (!nativePlatform() && 'Notification' in globalThis && Notification.permission === 'granted')
    start('push', async () =>
      (await import('#/features/notifications/push.ts')).startBrowserPush(),
    );
}
