// The device's position, from the browser or, in the native apps, from the device.
import {
  type DevicePlace,
  LocationError,
  type LocationPermission,
} from '#/platform/device-location.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { nativePlatform } from '#/platform/native.ts';

/** A cached position up to this age is good enough to find nearby parks. */
const FRESH_ENOUGH_MS = 30_000;
const TIMEOUT_MS = 10_000;
const READING: PositionOptions = { maximumAge: FRESH_ENOUGH_MS, timeout: TIMEOUT_MS };

const native = () => import('#/platform/native-geolocation.ts');

/** Returns the permission without prompting the user. */
export async function locationPermission(): Promise<LocationPermission> {
  if (nativePlatform()) return (await native()).nativeLocationPermission();
  if (!('geolocation' in navigator)) return 'unavailable';
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state;
  } catch {
    // Some browsers do not report the permission before they prompt.
    return 'prompt';
  }
}

/** Calls back when the user changes the permission outside the app. */
export function onLocationPermission(
  callback: (permission: LocationPermission) => void,
): () => void {
  // Native apps have no event for it. Users change it in the device's settings, so read it again when the app resumes.
  if (nativePlatform()) return onResume(() => void locationPermission().then(callback));
  const stop = new AbortController();
  void navigator.permissions
    ?.query({ name: 'geolocation' })
    .then((status) =>
      status.addEventListener('change', () => callback(status.state), { signal: stop.signal }),
    )
    .catch(() => undefined);
  return () => stop.abort();
}

/** Prompts the user if the permission is 'prompt', so explain why first. @throws LocationError */
export async function devicePlace(): Promise<DevicePlace> {
  if (nativePlatform()) return (await native()).nativePlace(READING);
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) return reject(new LocationError('unavailable'));
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({ lat: coords.latitude, long: coords.longitude, accuracy: coords.accuracy }),
      (error) =>
        reject(
          new LocationError(
            error.code === error.PERMISSION_DENIED ? 'denied' : 'unavailable',
            error,
          ),
        ),
      READING,
    );
  });
}
