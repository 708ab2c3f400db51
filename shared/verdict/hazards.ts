// Hazards at a park as the verdict knows them.
import { PARK_HAZARDS, type ParkHazard } from '../enums.ts';

export interface KnownHazard {
  type: ParkHazard;
  /** Another user at the park has confirmed it. */
  verified: boolean;
}

/** The server may have values that this version of the app does not have yet. */
export const isHazard = (value: string): value is ParkHazard =>
  (PARK_HAZARDS as readonly string[]).includes(value);
