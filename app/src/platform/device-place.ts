// Where the device says it is.
import type { LatLong } from '#/core/distance.ts';

export interface DevicePlace extends LatLong {
  accuracy: number;
}
