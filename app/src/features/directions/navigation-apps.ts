// The navigation apps, and the addresses that open them with directions to a place.
import type { LatLong } from '#/core/distance.ts';

const NAVIGATION_APPS = ['waze', 'google', 'apple', 'geo'] as const;
type NavigationApp = (typeof NAVIGATION_APPS)[number];

/** For the stored choice, which another version may have written. */
const isNavigationApp = (value: unknown): value is NavigationApp =>
  NAVIGATION_APPS.some((app) => app === value);

/** The address that opens an app with directions to a place. */
export function navigationAppUrl(app: NavigationApp, { lat, long }: LatLong): string {
  const point = `${String(lat)},${String(long)}`;
  switch (app) {
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
 * What a device can open, the app chosen last time first: `geo:` only on Android, Apple's maps everywhere else but there.
 * @param userAgent of the browser
 */
export function navigationAppsFor(userAgent: string, last: string | null): NavigationApp[] {
  const android = /android/i.test(userAgent);
  const apps = NAVIGATION_APPS.filter((app) => app !== (android ? 'apple' : 'geo'));
  return isNavigationApp(last) && apps.includes(last)
    ? [last, ...apps.filter((app) => app !== last)]
    : apps;
}
