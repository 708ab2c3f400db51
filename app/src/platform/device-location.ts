// The device's position, and reasons for a missing one: no permission or no location service.
import type { LatLong } from '#/core/distance.ts';

export interface DevicePlace extends LatLong {
  accuracy: number;
}

/** unavailable: the device has no location service, or the page has no HTTPS. */
export type LocationPermission = 'granted' | 'prompt' | 'denied' | 'unavailable';

export class LocationError extends Error {
  readonly reason: 'denied' | 'unavailable';

  constructor(reason: 'denied' | 'unavailable', cause?: unknown) {
    super(`The location is ${reason}`, { cause });
    this.name = 'LocationError';
    this.reason = reason;
  }
}
