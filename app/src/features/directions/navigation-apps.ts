import type { LatLong } from '#/core/distance.ts';

const APPS = {
  waze: (point: string) => `https://waze.com/ul?ll=${point}&navigate=yes`,
  google: (point: string) => `https://www.google.com/maps/dir/?api=1&destination=${point}`,
  apple: (point: string) => `https://maps.apple.com/?daddr=${point}`,
  geo: (point: string) => `geo:${point}?q=${point}`,
};
type NavigationApp = keyof typeof APPS;

/** The URL that opens an app with directions to a place. */
export const navigationAppUrl = (app: NavigationApp, { lat, long }: LatLong): string =>
  APPS[app](`${lat},${long}`);

/**
 * Returns the apps that a device can open, the last used first. `geo:` works only on Android, and Apple Maps on all other devices.
 */
export function navigationAppsFor(userAgent: string, last: string | null): NavigationApp[] {
  const missing = /android/i.test(userAgent) ? 'apple' : 'geo';
  return (Object.keys(APPS) as NavigationApp[])
    .filter((app) => app !== missing)
    .sort((one, other) => Number(other === last) - Number(one === last));
}
