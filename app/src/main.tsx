// Starts the app: configuration and messages first, then the first screen, then everything else.
import '#/ui/theme/tokens.css';
import '#/ui/theme/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import {
  currentLanguage,
  followLanguage,
  isLanguage,
  loadLanguage,
  preferredLanguage,
} from '#/i18n/i18n.ts';
import { setRegion } from '#/i18n/languages.ts';
import { getConfig, loadConfig } from '#/platform/config.ts';
import { watchInstall } from '#/features/shell/install-offer.ts';
import { whenFirstScreenComplete } from '#/core/first-screen.ts';
import { queryClient } from '#/data/query-client.ts';
import { registerCommands } from '#/offline/command-queue/registry.ts';
import { followSession } from '#/follow-session.ts';
import { startRestoring } from '#/offline/query-cache/start-restoring.ts';
import { startSession } from '#/data/session/session.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { readLocal } from '#/platform/local-settings.ts';
import { nativePlatform } from '#/platform/native.ts';
import { isHostReachable } from '#/platform/online.ts';
import { followTheme } from '#/ui/theme/theme.ts';
import { router } from '#/router.tsx';

/** The preloader fades after this time at the latest. */
const PRELOADER_LATEST_MS = 4000;

async function start(root: HTMLElement): Promise<void> {
  addEventListener('vite:preloadError', ({ payload }) => {
    if (navigator.serviceWorker?.controller) return;
    // The router recognises such errors by their message and reloads the page, because an update may have replaced the file. If the
    // host is down and no service worker has cached the page, a reload would show the browser's error page, so change the message.
    const file = payload.message;
    payload.message = `Failed to fetch a part of the app: ${file}`;
    if (router.state.status === 'pending' && router.state.resolvedLocation)
      void reloadIfHostAnswers(`gone ${file}`);
  });
  startRestoring(
    async () => {
      const { cache, rules } = await loadQueryCache();
      await cache.restoreQueries(rules);
    },
    () => void router.invalidate(),
  );
  watchInstall();
  const configured = loadConfig();
  // If the page contains the configuration, preferredLanguage() can already use it.
  let texts = loadLanguage(preferredLanguage());
  // The promise is awaited below. Until then, a rejection would count as unhandled.
  texts.catch(() => undefined);
  try {
    await configured;
    setRegion(getConfig().region);
    if (!isLanguage(currentLanguage())) texts = texts.then(() => loadLanguage(preferredLanguage()));
  } catch (error) {
    console.warn('No configuration:', error);
    await texts;
    const { StartFailed } = await import('#/features/shell/components/start-failed.tsx');
    createRoot(root).render(<StartFailed />);
    fadePreloader();
    return;
  }
  followSession();
  registerCommands(() => import('#/command-files.ts').then(({ commandFiles }) => commandFiles));
  startSession();
  followTheme();
  followLanguage();
  await nextTask();
  // Load the first screen's code and data in parallel with the messages.
  const loaded = router.load();
  await texts;
  // Start the queue now if commands are queued, because the first screen shows them.
  startDeferred(
    'command-queue',
    async () => (await import('#/offline/command-queue/queue.ts')).commandQueue.start(),
    readLocal('queued') === null ? undefined : Promise.resolve(),
  );
  setTimeout(fadePreloader, PRELOADER_LATEST_MS);
  const app = (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  );
  addEventListener(
    'focusin',
    () =>
      void import('#/ui/focus-keeper.ts')
        .then(({ keepFocus }) => keepFocus(router))
        .catch((error: unknown) => console.warn('Loading the focus handling failed:', error)),
    { once: true },
  );
  // React renders a transition in slices. Otherwise the first screen would be one task of 200 ms on a slow phone.
  startTransition(() => createRoot(root).render(app));
  // Wait for the load directly: for unknown URLs it has finished before an event listener could be added.
  await loaded;
  fadePreloader();
  if (nativePlatform())
    void import('#/start-shell.ts')
      .then(({ startShell }) => startShell())
      .catch((error: unknown) => console.warn('The shell:', error));
  // Refetch only stale queries that are on screen.
  onResume(() => void queryClient.refetchQueries({ type: 'active', stale: true }));
  startDeferred('query-cache', async () => {
    const { cache, rules } = await loadQueryCache();
    cache.startCaching(rules);
  });
  startDeferred('other parts', async () =>
    (await import('#/after-first-screen.ts')).startAfterFirstScreen(router),
  );
}

async function loadQueryCache() {
  const [cache, rules] = await Promise.all([
    import('#/offline/query-cache/query-cache.ts'),
    import('#/cache-rules.ts'),
  ]);
  return { cache, rules };
}

/** Reloads the page if the host is reachable, but only once per file: a file that the host has lost would cause a reload loop. */
async function reloadIfHostAnswers(file: string): Promise<void> {
  if (sessionStorage.getItem(file) || !(await isHostReachable())) return;
  sessionStorage.setItem(file, 'yes');
  location.reload();
}

/** Starts code that the first screen does not need; failures are only logged. */
function startDeferred(
  name: string,
  begin: () => Promise<void>,
  when = whenFirstScreenComplete(),
): void {
  void when.then(begin).catch((error: unknown) => console.warn(`Starting ${name}:`, error));
}

function fadePreloader(): void {
  const preloader = document.getElementById('preloader');
  preloader?.addEventListener('transitionend', () => preloader.remove(), { once: true });
  requestAnimationFrame(() => preloader?.classList.add('done'));
}

/** Called if a file such as the messages is missing. index.html then shows its built-in message in all languages. */
function reportStartFailure(error: unknown): void {
  console.error('The app cannot start:', error);
  dispatchEvent(new Event('start-failed'));
}

/** Lets a slow phone paint and handle input between two tasks. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

const root = document.getElementById('root');
// Start in another task than the one in which the browser has parsed this code.
if (root)
  void nextTask()
    .then(() => start(root))
    .catch(reportStartFailure);
