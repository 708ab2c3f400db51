// The place that goes along with a check-in: only where it may be known already, and only if it is known soon.
import type { DevicePlace } from '#/platform/device-place.ts';
import { locateQuietly } from '#/platform/here.ts';

/** How long a check-in waits for it at most. */
const PATIENCE_MS = 3000;

/** Null without permission, which this never asks for, and where the device does not find out soon. */
export const placeOfCheckIn = (): Promise<DevicePlace | null> =>
  Promise.race([
    locateQuietly(),
    new Promise<null>((resolve) => {
      setTimeout(() => resolve(null), PATIENCE_MS);
    }),
  ]);
