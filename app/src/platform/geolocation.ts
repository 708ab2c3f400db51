// Where the device is. The web's way; a native shell's plugin takes its place here, behind the same four functions.
import type { LatLong } from '#/lib/distance.ts';

/** unavailable: the device or the page (no HTTPS) has no such service at all. */
export type LocationPermission = 'granted' | 'prompt' | 'denied' | 'unavailable';

export class LocationError extends Error {
  readonly reason: 'denied' | 'unavailable';

  constructor(reason: 'denied' | 'unavailable', cause?: unknown) {
    super(`The location is ${reason}`, { cause });
    this.name = 'LocationError';
    this.reason = reason;
  }
}

/** A reading this old is as good as a new one for parks around. */
const FRESH_ENOUGH_MS = 30_000;
const PATIENCE_MS = 10_000;

/** Never asks the person. */
export async function locationPermission(): Promise<LocationPermission> {
  if (!('geolocation' in navigator)) return 'unavailable';
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state;
  } catch {
    // Some browsers cannot say; asking is then the only way to find out.
    return 'prompt';
  }
}

/** Calls back when the person changes the permission outside the app. */
export function onLocationPermission(
  callback: (permission: LocationPermission) => void,
): () => void {
  const stop = new AbortController();
  void navigator.permissions
    ?.query({ name: 'geolocation' })
    .then((status) =>
      status.addEventListener('change', () => callback(status.state), { signal: stop.signal }),
    )
    .catch(() => undefined);
  return () => stop.abort();
}

/**
 * The place of the device. Asks the person where the permission is 'prompt': say what for before you call it.
 * @throws LocationError
 */
export function devicePlace(): Promise<LatLong> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) {
      reject(new LocationError('unavailable'));
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, long: coords.longitude }),
      (error) =>
        reject(
          new LocationError(
            error.code === error.PERMISSION_DENIED ? 'denied' : 'unavailable',
            error,
          ),
        ),
      { maximumAge: FRESH_ENOUGH_MS, timeout: PATIENCE_MS },
    );
  });
}

/** Opens the device's settings for this app; false where a page may not, as in every browser. */
export function openLocationSettings(): Promise<boolean> {
  return Promise.resolve(false);
}
