// Hazards at a park that users report.
import { PARK_HAZARDS, type ParkHazard } from '../../../../shared/enums.ts';

export interface KnownHazard {
  kind: ParkHazard;
  /** Somebody else who was there confirmed it. */
  verified: boolean;
}

/** The server may know more of them than this version of the app. */
export const isHazard = (value: string): value is ParkHazard =>
  (PARK_HAZARDS as readonly string[]).includes(value);

/** The same with all that the park's own page tells. */
export interface HazardReport {
  id: string;
  hazard: string;
  reported_at: string;
  confirmations: number;
  /** Somebody else who was there confirmed it. */
  verified: boolean;
  /** When a person reported that the city was informed. */
  city_informed_at: string | null;
  /** The town that takes care of it. */
  in_hand_by: string | null;
  /** Set for a day after it was verified and cleared. */
  cleared_at: string | null;
  mine: boolean;
  /** Approved ones, as paths in the bucket parks. */
  photos: string[];
}
