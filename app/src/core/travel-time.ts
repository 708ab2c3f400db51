// Minutes to a place, from a distance as the crow flies.

/** 4.8 km an hour, on streets that are not straight. */
const METRES_A_MINUTE = 80 / 1.3;
const MAX_WALK_MINUTES = 30;
/** Longer ways are driven: parking and the like, then the way itself. */
const DRIVE_MINUTES = 15;
const DRIVE_MINUTES_A_KILOMETRE = 2;

/** At least 1; null beyond a walk. */
export function walkingMinutes(metres: number): number | null {
  const minutes = Math.max(1, Math.round(metres / METRES_A_MINUTE));
  return minutes > MAX_WALK_MINUTES ? null : minutes;
}

/** Minutes on foot or, if that is quicker, by car. */
export const travelMinutes = (metres: number): number =>
  Math.min(metres / METRES_A_MINUTE, DRIVE_MINUTES + (metres / 1000) * DRIVE_MINUTES_A_KILOMETRE);
