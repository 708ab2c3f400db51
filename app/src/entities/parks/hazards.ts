// Hazards at a park that users report.
/** A hazard with all details for the park's page. */
export interface HazardReport {
  id: string;
  hazard: string;
  reported_at: string;
  confirmations: number;
  /** Another user at the park has confirmed it. */
  verified: boolean;
  /** When a user reported that they informed the city. */
  city_informed_at: string | null;
  /** The municipality that is dealing with it. */
  in_hand_by: string | null;
  /** Time at which a verified hazard was cleared; null again one day later. */
  cleared_at: string | null;
  mine: boolean;
  /** Paths of the approved photos in the parks bucket. */
  photos: string[];
}
