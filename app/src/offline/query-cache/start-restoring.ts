// Brings back what was seen before a restart; screens that show it wait for it, the home map does not.
import { announceRestoring } from '#/data/cache-restored.ts';
import { readLocal } from '#/platform/local-settings.ts';

/** A store that does not answer must not hold up a screen. */
const LATEST_MS = 1500;

/**
 * @param restore restores the query cache
 * @param onLate told where the screens have gone on without it: one may say that there is no network
 */
export function startRestoring(restore: () => Promise<void>, onLate: () => void): void {
  if (readLocal('keptPages') === null) return;
  let isLate = false;
  const work = restore().then(() => {
    if (isLate) onLate();
  });
  const latest = new Promise<void>((resolve) => {
    setTimeout(() => {
      isLate = true;
      resolve();
    }, LATEST_MS);
  });
  announceRestoring(
    Promise.race([work, latest]).catch((error: unknown) =>
      console.warn('What was seen before cannot be read:', error),
    ),
  );
}
