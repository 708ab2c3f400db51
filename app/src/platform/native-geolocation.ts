// Where the device is, asked of the device itself: a web view would ask a second question on behalf of its page.
import {
  type DevicePlace,
  LocationError,
  type LocationPermission,
} from '#/platform/device-location.ts';

const plugin = () => import('@capacitor/geolocation');

/** A rough place is enough for the parks around. */
const permissionOf = (states: { location: string; coarseLocation: string }): LocationPermission => {
  if (states.location === 'granted' || states.coarseLocation === 'granted') return 'granted';
  return states.location === 'denied' ? 'denied' : 'prompt';
};

/** Never asks the person; 'denied' too where the device's location is switched off. */
export async function nativeLocationPermission(): Promise<LocationPermission> {
  const { Geolocation } = await plugin();
  try {
    return permissionOf(await Geolocation.checkPermissions());
  } catch {
    // Location is switched off for the whole device.
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
