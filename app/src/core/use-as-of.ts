// The time of live data that could not be refreshed: without a network, cached data is shown with its time.
import { useNow } from '#/core/use-now.ts';

/** Four polls in a row without an answer. */
const LIVE_MS = 60_000;

/** The moment that the data is of, or null while it is live. */
export function useAsOf(updatedAt: number): Date | null {
  const now = useNow(15_000);
  return updatedAt > 0 && now - updatedAt > LIVE_MS ? new Date(updatedAt) : null;
}
