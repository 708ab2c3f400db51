// When the ground of a park is shaded, by the little that is known of it.
import type { LatLong } from '#/core/distance.ts';
import { parkOffset } from '#/core/park-time.ts';
import { sunMinutes } from '#/core/sun.ts';

/** Of a day at a place, by its clocks. */
export interface Sun {
  /** When it stands highest. */
  noon: number;
  /** The hours from and to which it is high enough to burn. */
  first: number;
  last: number;
}

/** It burns from an hour after it rose until an hour before it sets. */
const LOW_HOURS = 1;
let offset = { day: NaN, minutes: 0 };

/** @param day days since 1970-01-01 */
export function sunOf(place: LatLong, day: number): Sun {
  // Asked of each park of a list; to read a clock costs most of it.
  if (offset.day !== day) offset = { day, minutes: parkOffset(day) };
  const hourOf = (event: 'sunrise' | 'sunset') =>
    (sunMinutes(event, day, place) + offset.minutes) / 60;
  const [rise, set] = [hourOf('sunrise'), hourOf('sunset')];
  // Where it neither rises nor sets.
  if (Number.isNaN(rise)) return { noon: 12, first: 0, last: 23 };
  return {
    noon: (rise + set) / 2,
    first: Math.ceil(rise + LOW_HOURS),
    last: Math.floor(set - LOW_HOURS),
  };
}

/**
 * Whether the ground is shaded at an hour, from 24 on of tomorrow. Only the hours of shade a day are known; trees and walls throw
 * them in the morning and the evening, so the sunny rest lies around the sun's noon.
 */
export function isShaded(hour: number, shade: number, sun: Sun): boolean {
  if (!isSunUp(hour, sun)) return true;
  return fromNoon(hour, sun) > (sun.last - sun.first + 1 - shade) / 2;
}

/** Whether the sun is high enough to burn. @param hour from 24 on tomorrow */
export const isSunUp = (hour: number, { first, last }: Sun) =>
  hour % 24 >= first && hour % 24 <= last;

/** Hours between the sun's noon and the middle of an hour. */
export const fromNoon = (hour: number, { noon }: Sun) => Math.abs((hour % 24) + 0.5 - noon);
