// Minutes on foot from a distance as the crow flies.

/** 4.8 km an hour, and streets that are no straight lines. */
const METRES_A_MINUTE = 80;
const DETOUR = 1.3;
const LONGEST_WALK_MINUTES = 30;

/** At least 1; null beyond a walk. */
export function walkingMinutes(metres: number): number | null {
  const minutes = Math.max(1, Math.round((metres * DETOUR) / METRES_A_MINUTE));
  return minutes > LONGEST_WALK_MINUTES ? null : minutes;
}
