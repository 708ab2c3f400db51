// Where the sun stands at a place: for drawings, so a quarter of an hour does not matter.
import { DEFAULT_LOCATION } from '#/core/place.ts';
import type { LatLong } from '#/core/distance.ts';

export type SunPhase = 'dawn' | 'day' | 'dusk' | 'night';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Hours around sunrise and sunset that are neither day nor night. */
const BEFORE_SUNRISE = 0.6;
const AFTER_SUNRISE = 0.9;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The part of the day at a moment; where the sun neither rises nor sets, all of it is day or night. */
export function sunPhase(moment: Date, { lat, long }: LatLong = DEFAULT_LOCATION): SunPhase {
  const dayOfYear = (moment.getTime() - Date.UTC(moment.getUTCFullYear(), 0, 1)) / DAY_MS;
  const tilt = radians(-23.44 * Math.cos(((dayOfYear + 10) / 365) * 2 * Math.PI));
  const cosine = Math.max(-1, Math.min(1, -Math.tan(radians(lat)) * Math.tan(tilt)));
  /** Hours from sunrise to noon. */
  const half = (Math.acos(cosine) / Math.PI) * 12;
  const utc = (moment.getTime() % DAY_MS) / HOUR_MS;
  /** Hours since noon of the sun, -12 to 12. */
  const noon = ((((utc + long / 15) % 24) + 24) % 24) - 12;
  const fromSunrise = noon + half;
  const toSunset = half - noon;
  if (fromSunrise < -BEFORE_SUNRISE || toSunset < -BEFORE_SUNRISE) return 'night';
  if (fromSunrise < AFTER_SUNRISE) return 'dawn';
  return toSunset < AFTER_SUNRISE ? 'dusk' : 'day';
}
