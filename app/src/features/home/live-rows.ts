// The map's live rows: only parks with dogs.
import type { LiveRow } from '#/map/cluster-protocol.ts';

/** @param live park id to its counts */
export const liveRows = (live: Record<number, { dogs_now: number }>): LiveRow[] =>
  Object.entries(live)
    .map(([id, { dogs_now }]) => ({ id: Number(id), dogs: dogs_now }))
    .filter(({ dogs }) => dogs > 0);
