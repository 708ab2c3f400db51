// The time that is shown: now, or a later hour chosen on the clock; map, pins and verdicts follow it.
import { createStore, useStore } from '#/core/store.ts';
import { useNow } from '#/core/use-now.ts';

const chosen = createStore<number | null>(null);

/** @param startsAt milliseconds since 1970; null: now */
export const chooseHour = (startsAt: number | null): void => chosen.set(startsAt);

/** An hour that has begun is now. */
export function useShownTime(): { timestamp: number; isNow: boolean } {
  const now = useNow(60_000);
  const startsAt = useStore(chosen);
  return startsAt !== null && startsAt > now
    ? { timestamp: startsAt, isNow: false }
    : { timestamp: now, isNow: true };
}
