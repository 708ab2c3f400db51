// Estimated travel time from a straight-line distance.

/** 4.8 km/h, with a detour factor of 1.3. */
const METRES_A_MINUTE = 80 / 1.3;
const MAX_WALK_MINUTES = 30;
/** Longer distances are driven: a fixed time for parking, and a time per kilometre. */
const DRIVE_MINUTES = 15;
const DRIVE_MINUTES_A_KILOMETRE = 2;

/** Returns at least 1, or null if the distance is too far to walk. */
export function walkingMinutes(metres: number): number | null {
  const minutes = Math.max(1, Math.round(metres / METRES_A_MINUTE));
  return minutes > MAX_WALK_MINUTES ? null : minutes;
}

/** Minutes on foot, or by car if faster. */
export const travelMinutes = (metres: number): number =>
  Math.min(metres / METRES_A_MINUTE, DRIVE_MINUTES + (metres / 1000) * DRIVE_MINUTES_A_KILOMETRE);
