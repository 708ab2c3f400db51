// The time that map, pins and verdicts show: now, or a later hour that the user has chosen.
import { createStore, useStore } from '#/core/store.ts';
import { useNow } from '#/core/use-now.ts';

const chosen = createStore<number | null>(null);

/** @param startsAt milliseconds since the epoch; null for now */
export const chooseHour = (startsAt: number | null): void => chosen.set(startsAt);

/** An hour that has begun counts as now. */
export function useShownTime(): { timestamp: number; isNow: boolean } {
  const now = useNow(60_000);
  const startsAt = useStore(chosen);
  return startsAt !== null && startsAt > now
    ? { timestamp: startsAt, isNow: false }
    : { timestamp: now, isNow: true };
}
