// Where the device says it is, and why that may be missing: no permission, or no such service.
import type { LatLong } from '#/core/distance.ts';

export interface DevicePlace extends LatLong {
  accuracy: number;
}

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
