// The navigation apps, and the addresses that open them with directions to a place.
import type { LatLong } from '#/core/distance.ts';

const WAYS = ['waze', 'google', 'apple', 'geo'] as const;
export type Way = (typeof WAYS)[number];

/** For the stored choice, which another version may have written. */
function isWay(value: unknown): value is Way {
  return WAYS.some((way) => way === value);
}

/** The address that opens an app with directions to a place. */
export function handOffUrl(way: Way, { lat, long }: LatLong): string {
  const point = `${String(lat)},${String(long)}`;
  switch (way) {
    case 'waze':
      return `https://waze.com/ul?ll=${point}&navigate=yes`;
    case 'google':
      return `https://www.google.com/maps/dir/?api=1&destination=${point}`;
    case 'apple':
      return `https://maps.apple.com/?daddr=${point}`;
    case 'geo':
      return `geo:${point}?q=${point}`;
  }
}

/**
 * What a device can open, the way chosen last time first: `geo:` only on Android, Apple's maps everywhere else but there.
 * @param userAgent of the browser
 */
export function waysFor(userAgent: string, last: string | null): Way[] {
  const android = /android/i.test(userAgent);
  const ways = WAYS.filter((way) => way !== (android ? 'apple' : 'geo'));
  return isWay(last) && ways.includes(last) ? [last, ...ways.filter((way) => way !== last)] : ways;
}
