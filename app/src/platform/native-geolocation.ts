// The position from the native API, because the web view would prompt a second time.
import {
  type DevicePlace,
  LocationError,
  type LocationPermission,
} from '#/platform/device-location.ts';

const plugin = () => import('@capacitor/geolocation');

/** An approximate position is enough to find nearby parks. */
const permissionOf = (states: { location: string; coarseLocation: string }): LocationPermission => {
  if (states.location === 'granted' || states.coarseLocation === 'granted') return 'granted';
  return states.location === 'denied' ? 'denied' : 'prompt';
};

/** Returns the permission without prompting the user; 'denied' if location is turned off for the device. */
export async function nativeLocationPermission(): Promise<LocationPermission> {
  const { Geolocation } = await plugin();
  try {
    return permissionOf(await Geolocation.checkPermissions());
  } catch {
    // Location is turned off for the whole device.
    return 'denied';
  }
}

/** @throws LocationError */
export async function nativePlace(options: PositionOptions): Promise<DevicePlace> {
  const { Geolocation } = await plugin();
  let permission = await nativeLocationPermission();
  try {
    if (permission === 'prompt') permission = permissionOf(await Geolocation.requestPermissions());
  } catch (error) {
    throw new LocationError('denied', error);
  }
  if (permission !== 'granted') throw new LocationError('denied');
  try {
    const { coords } = await Geolocation.getCurrentPosition(options);
    return { lat: coords.latitude, long: coords.longitude, accuracy: coords.accuracy };
  } catch (error) {
    throw new LocationError('unavailable', error);
  }
}
