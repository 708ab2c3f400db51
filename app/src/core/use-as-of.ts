// Says of a live answer how old it is, once it is older than live: without a network, what was seen is shown with its time.
import { useNow } from '#/core/use-now.ts';

/** Four answers in a row that did not come. */
const LIVE_MS = 60_000;

/**
 * The moment that the data is of, or null while it is live.
 * @param updatedAt milliseconds since the epoch, as a query's `dataUpdatedAt`; 0 without data
 */
export function useAsOf(updatedAt: number): Date | null {
  const now = useNow(15_000);
  return updatedAt > 0 && now - updatedAt > LIVE_MS ? new Date(updatedAt) : null;
}
