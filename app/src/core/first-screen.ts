// The stages of the first screen, for which less urgent code waits, so that it does not compete with the screen's own files.

/** Limit for the stage `ready`, which screens without a map never reach. */
const READY_TIMEOUT_MS = 2000;
/** Limit for tiles and cards: a tile server may not respond, and a map may have no parks. */
const COMPLETE_TIMEOUT_MS = 5000;

const whenMarked = (mark: string, timeout: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, timeout);
    new PerformanceObserver((list) => {
      if (list.getEntriesByName(mark).length > 0) resolve();
    }).observe({ type: 'mark', buffered: true });
  });

/**
 * Resolves when the map is ready, or after 2 s. Before that, the browser may be idle only because it is waiting for the network.
 */
export const whenFirstScreenReady = () => whenMarked('map-ready', READY_TIMEOUT_MS);

/** Resolves when the first screen is ready and, on the home map, its tiles and cards are shown. */
export async function whenFirstScreenComplete(): Promise<void> {
  await whenFirstScreenReady();
  if (location.pathname !== '/') return;
  const marks = ['tiles-ready', 'cards-ready'];
  await Promise.all(marks.map((mark) => whenMarked(mark, COMPLETE_TIMEOUT_MS)));
}
