// The map's live rows: only parks with dogs, each with its busy level.
import type { BusyLevel } from '#/data/busy-level.ts';
import type { LiveRow } from '#/map/cluster-protocol.ts';

/** @param live park id to its counts */
export function liveRows(
  live: Record<number, { dogs_now: number; busy_level: BusyLevel }>,
): LiveRow[] {
  return Object.entries(live)
    .map(([id, { dogs_now, busy_level }]) => ({
      id: Number(id),
      dogs: dogs_now,
      level: busy_level,
    }))
    .filter(({ dogs }) => dogs > 0);
}
