// Fetches the modules of all routes when the device has nothing better to do, one by one, so that a tap opens at once.
import type { AnyRoute, AnyRouter } from '@tanstack/react-router';

const LATEST_MS = 2000;

const whenIdle = (task: () => void) => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(task, { timeout: LATEST_MS });
  else setTimeout(task, LATEST_MS);
};

const savesData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Begins when idle, or after 2 s, once the page and what it needs first are here. */
export function preloadRoutesWhenIdle(router: AnyRouter): void {
  if (savesData()) return;
  const routes: AnyRoute[] = Object.values(router.routesById);
  const next = () => {
    const route = routes.pop();
    if (!route) return;
    // A module that cannot be had now is asked for again by the navigation itself.
    Promise.resolve(router.loadRouteChunk(route))
      .catch(() => undefined)
      .finally(() => whenIdle(next));
  };
  if (document.readyState === 'complete') whenIdle(next);
  else addEventListener('load', () => whenIdle(next), { once: true });
}
