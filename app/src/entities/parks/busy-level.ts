// How busy a park is, in three steps of its dogs: the same as the database's private.busy_level.
import type { BusyLevel } from '../../../../shared/enums.ts';

export function busyLevel(dogs: number): BusyLevel {
  if (dogs >= 7) return 'busy';
  return dogs >= 3 ? 'medium' : 'quiet';
}
