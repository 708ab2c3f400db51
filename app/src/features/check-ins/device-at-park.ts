// Detects on the device whether it is at a park, and whether to ask the user to check in. Pure.
import { MINUTE_MS } from '../../../../shared/durations.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { MAX_STAY } from './check-in-limits.ts';

/** Maximum distance from a park's centre that counts as being at the park, including the inaccuracy of the phone's location. */
const AT_PARK_METRES = 120;
/** The offer may be repeated after the maximum length of a visit. */
const OFFER_INTERVAL_MS = MAX_STAY * MINUTE_MS;

export interface ParkNearby {
  id: number;
  name: string;
  location: LatLong;
}

/** The last offer of a check-in: the park, and the time in milliseconds since the epoch. */
interface LastOffer {
  parkId: number;
  at: number;
}

export const isAt = (place: LatLong, park: LatLong): boolean =>
  distanceBetween(place, park) <= AT_PARK_METRES;

/** Returns the park at which to offer a check-in. Null if the device is at no park, or the check-in was already offered there. */
export function arrivedAt(
  nearest: ParkNearby | null,
  place: LatLong,
  lastOffer: LastOffer | null,
  now: number,
): ParkNearby | null {
  if (!nearest || !isAt(place, nearest.location)) return null;
  const again = lastOffer?.parkId === nearest.id && now - lastOffer.at < OFFER_INTERVAL_MS;
  return again ? null : nearest;
}

/** Parses `12 1764000000000`; returns null for anything else. */
export function parseOffer(text: string | null): LastOffer | null {
  const [, id, at] = /^(\d+) (\d+)$/.exec(text ?? '') ?? [];
  return id && at ? { parkId: Number(id), at: Number(at) } : null;
}

export const formatOffer = ({ parkId, at }: LastOffer): string => `${parkId} ${at}`;
