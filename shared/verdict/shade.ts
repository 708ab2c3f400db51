// Estimates when the ground of a park is shaded, from its hours of shade.
import type { LatLong } from '../lat-long.ts';
import { parkOffset } from '../park-time.ts';
import { sunMinutes } from '../sun-minutes.ts';

/** The sun on one day at one place, in hours of its time zone. */
export interface Sun {
  /** When the sun is highest. */
  noon: number;
  /** First and last hour in which the sun is high enough to burn. */
  first: number;
  last: number;
}

/** The sun burns from this long after sunrise until this long before sunset. */
const LOW_HOURS = 1;
let offset = { day: NaN, minutes: 0 };

/** @param day days since 1970-01-01 */
export function sunOf(place: LatLong, day: number): Sun {
  // Cached, because this is called for each park of a list and computing the time zone's offset is slow.
  if (offset.day !== day) offset = { day, minutes: parkOffset(day) };
  const hourOf = (event: 'sunrise' | 'sunset') =>
    (sunMinutes(event, day, place) + offset.minutes) / 60;
  const [rise, set] = [hourOf('sunrise'), hourOf('sunset')];
  // The sun neither rises nor sets on this day.
  if (Number.isNaN(rise)) return { noon: 12, first: 0, last: 23 };
  return {
    noon: (rise + set) / 2,
    first: Math.ceil(rise + LOW_HOURS),
    last: Math.floor(set - LOW_HOURS),
  };
}

/**
 * Returns whether the ground is shaded at an hour (from 24 on, tomorrow). Only the hours of shade per day are known. Trees and
 * walls cast shade in the morning and the evening, so the sunny hours are assumed to be around solar noon.
 */
export function isShaded(hour: number, shade: number, sun: Sun): boolean {
  if (!isSunUp(hour, sun)) return true;
  return fromNoon(hour, sun) > (sun.last - sun.first + 1 - shade) / 2;
}

/** Returns whether the sun is high enough to burn. @param hour from 24 on, tomorrow */
export const isSunUp = (hour: number, { first, last }: Sun) =>
  hour % 24 >= first && hour % 24 <= last;

/** Hours between solar noon and the middle of an hour. */
export const fromNoon = (hour: number, { noon }: Sun) => Math.abs((hour % 24) + 0.5 - noon);
