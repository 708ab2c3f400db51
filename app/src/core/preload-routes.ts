// Preloads the modules of all routes one by one while the browser is idle, so navigation is immediate.
import type { AnyRoute, AnyRouter } from '@tanstack/react-router';

const TIMEOUT_MS = 2000;

export const whenIdle = (task: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(task, { timeout: TIMEOUT_MS });
  else setTimeout(task, TIMEOUT_MS);
};

const savesData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** @param first loads modules needed offline, such as the error screen */
export function preloadRoutesWhenIdle(router: AnyRouter, first: () => Promise<unknown>): void {
  if (savesData()) return;
  const routes: AnyRoute[] = Object.values(router.routesById);
  let load: (() => unknown) | null = first;
  const next = () => {
    if (!load) return;
    // Ignore a failure, because navigating to the route loads it again.
    Promise.resolve(load())
      .catch(() => undefined)
      .finally(() => whenIdle(next));
    const route = routes.pop();
    load = route ? () => router.loadRouteChunk(route) : null;
  };
  whenIdle(next);
}
