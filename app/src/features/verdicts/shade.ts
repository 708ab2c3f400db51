// When the ground of a park is shaded, by the little that is known of it.

/** The sun stands highest in Israel at about 12:40; it burns from about 7 to 18. */
const SOLAR_NOON = 12.7;
const SUN_HOURS = { first: 7, last: 18 };

/**
 * Whether the ground is shaded at an hour, from 24 on of tomorrow. Only the hours of shade a day are known; trees and walls throw
 * them in the morning and the evening, so the sunny rest lies around the sun's noon.
 */
export function isShaded(hour: number, shade: number): boolean {
  if (!isSunUp(hour)) return true;
  const sunny = SUN_HOURS.last - SUN_HOURS.first + 1 - shade;
  return Math.abs((hour % 24) + 0.5 - SOLAR_NOON) > sunny / 2;
}

/** Whether the sun is high enough to burn. @param hour from 24 on tomorrow */
export const isSunUp = (hour: number, { first, last } = SUN_HOURS) =>
  hour % 24 >= first && hour % 24 <= last;
