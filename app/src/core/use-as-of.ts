// The age of live data that cannot be refreshed, for example when offline.
import { useNow } from '#/core/use-now.ts';

/** Data older than this has missed four polls in a row and does not count as live. */
const LIVE_MS = 60_000;

/** The time of the data, or null while it is live. */
export function useAsOf(updatedAt: number): Date | null {
  const now = useNow(15_000);
  return updatedAt > 0 && now - updatedAt > LIVE_MS ? new Date(updatedAt) : null;
}
