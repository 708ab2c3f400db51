// How busy a park is, in three steps of its dogs: the same as the database's private.busy_level.
export const BUSY_LEVELS = ['quiet', 'medium', 'busy'] as const;

export type BusyLevel = (typeof BUSY_LEVELS)[number];

export function busyLevel(dogs: number): BusyLevel {
  if (dogs >= 7) return 'busy';
  return dogs >= 3 ? 'medium' : 'quiet';
}
