// Where the device is: the browser's way, and in a shell the device's own, behind the same three functions.
import {
  type DevicePlace,
  LocationError,
  type LocationPermission,
} from '#/platform/device-location.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { nativePlatform } from '#/platform/native.ts';

/** A reading this old is as good as a new one for parks around. */
const FRESH_ENOUGH_MS = 30_000;
const PATIENCE_MS = 10_000;
const READING: PositionOptions = { maximumAge: FRESH_ENOUGH_MS, timeout: PATIENCE_MS };

const native = () => import('#/platform/native-geolocation.ts');

/** Never asks the person. */
export async function locationPermission(): Promise<LocationPermission> {
  if (nativePlatform()) return (await native()).nativeLocationPermission();
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
  // There is no event for a changed permission; the settings are another app, so it is read again when this one resumes.
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

/** The place of the device. Asks the person where the permission is 'prompt': say what for before you call it. Throws LocationError. */
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
