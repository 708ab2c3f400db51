// The hazards of a park that people report; several screens show them.
export const HAZARDS = [
  'poison',
  'glass',
  'looseDog',
  'caterpillars',
  'awns',
  'brokenFence',
  'noWater',
] as const;

export type Hazard = (typeof HAZARDS)[number];

/** A hazard that is reported now. */
export interface KnownHazard {
  kind: Hazard;
  /** Somebody else who was there confirmed it. */
  verified: boolean;
}

/** The server may know more of them than this version of the app. */
export function isHazard(value: string): value is Hazard {
  return (HAZARDS as readonly string[]).includes(value);
}
