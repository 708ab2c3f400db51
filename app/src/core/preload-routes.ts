// Fetches the modules of all routes when the device has nothing better to do, one by one, so that a tap opens at once.
import type { AnyRoute, AnyRouter } from '@tanstack/react-router';

const LATEST_MS = 2000;

/** When the device has nothing better to do, or after 2 s. */
export const whenIdle = (task: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(task, { timeout: LATEST_MS });
  else setTimeout(task, LATEST_MS);
};

const savesData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** The map stands, or 2 s have passed: until then a quiet moment only means that something is on its way. */
export const whenFirstScreenStands = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, LATEST_MS);
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('map-ready').length > 0) resolve();
    }).observe({ type: 'mark', buffered: true });
  });

/**
 * Begins when idle, or after 2 s, once the page and what it needs first are here.
 * @param first fetches what matters more than any route: what is needed when nothing can be fetched, such as the error screen
 */
export function preloadRoutesWhenIdle(router: AnyRouter, first: () => Promise<unknown>): void {
  if (savesData()) return;
  const routes: AnyRoute[] = Object.values(router.routesById);
  let load: (() => unknown) | null = first;
  const next = () => {
    if (!load) return;
    // A module that cannot be had now is asked for again by the navigation itself.
    Promise.resolve(load())
      .catch(() => undefined)
      .finally(() => whenIdle(next));
    const route = routes.pop();
    load = route ? () => router.loadRouteChunk(route) : null;
  };
  void whenFirstScreenStands().then(() => whenIdle(next));
}
