// What the map shows of the life at the parks: only parks with dogs, each with how busy that is.
import type { BusyLevel, LiveRow } from '#/map/cluster-protocol.ts';

/** Quiet up to 2 dogs, medium up to 6: the same steps as the database's. */
export function busyLevel(dogs: number): BusyLevel {
  if (dogs <= 2) return 'quiet';
  return dogs <= 6 ? 'medium' : 'busy';
}

/** @param live park id to its counts */
export function liveRows(live: Record<number, { dogs_now: number }>): LiveRow[] {
  return Object.entries(live)
    .map(([id, { dogs_now }]) => ({
      id: Number(id),
      dogs: dogs_now,
      level: busyLevel(dogs_now),
    }))
    .filter(({ dogs }) => dogs > 0);
}
