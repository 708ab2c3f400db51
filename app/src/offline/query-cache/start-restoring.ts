// Restores the query cache at start-up. Screens wait for it, except the home map.
import { announceRestoring } from '#/data/cache-restored.ts';
import { readLocal } from '#/platform/local-settings.ts';

/** Screens are rendered after this time at the latest, even if the store does not respond. */
const TIMEOUT_MS = 1500;

/**
 * @param restore restores the query cache
 * @param onLate called if the screens were rendered before the cache was restored, because they may show an offline message
 */
export function startRestoring(restore: () => Promise<void>, onLate: () => void): void {
  if (readLocal('cachedQueries') === null) return;
  let isLate = false;
  const work = restore().then(() => {
    if (isLate) onLate();
  });
  const latest = new Promise<void>((resolve) => {
    setTimeout(() => {
      isLate = true;
      resolve();
    }, TIMEOUT_MS);
  });
  announceRestoring(
    Promise.race([work, latest]).catch((error: unknown) =>
      console.warn('What was seen before cannot be read:', error),
    ),
  );
}
