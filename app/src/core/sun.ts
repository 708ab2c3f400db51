// The phase of daylight at a place.
import type { LatLong } from '#/core/distance.ts';
import { DAY_MINUTES, DAY_MS } from '../../../shared/durations.ts';
import { startPlace } from '#/core/place.ts';
import { sunMinutes } from '../../../shared/sun-minutes.ts';

export type SunPhase = 'dawn' | 'day' | 'dusk' | 'night';

/** Illustrations show twilight from LIGHT_OUTSIDE minutes before sunrise to LOW_INSIDE minutes after it; mirrored at sunset. */
const LIGHT_OUTSIDE = 36;
const LOW_INSIDE = 54;

/** Phase of daylight for illustrations; day if the sun neither rises nor sets. */
export function sunPhase(date: Date, place: LatLong = startPlace()): SunPhase {
  const days = date.getTime() / DAY_MS;
  // The day in local solar time.
  const day = Math.floor(days + place.long / 360);
  const minute = (days - day) * DAY_MINUTES;
  const sinceSunrise = minute - sunMinutes('sunrise', day, place);
  const toSunset = sunMinutes('sunset', day, place) - minute;
  if (sinceSunrise < -LIGHT_OUTSIDE || toSunset < -LIGHT_OUTSIDE) return 'night';
  if (sinceSunrise < LOW_INSIDE) return 'dawn';
  return toSunset < LOW_INSIDE ? 'dusk' : 'day';
}
