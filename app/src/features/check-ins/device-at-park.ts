// Detects on the device whether it is at a park, and whether to ask the user to check in. Pure.
import { MINUTE_MS } from '../../../../shared/durations.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { MAX_STAY } from './check-in-limits.ts';

/** Maximum distance from a park's centre that counts as being at the park, including the inaccuracy of the phone's location. */
const AT_PARK_METRES = 120;
/** The question may be repeated after the maximum length of a visit. */
const ASKED_FOR_MS = MAX_STAY * MINUTE_MS;

export interface ParkNearby {
  id: number;
  name: string;
  location: LatLong;
}

/** The last question: the park, and its time in milliseconds since the epoch. */
export interface Asked {
  parkId: number;
  at: number;
}

export const isAt = (place: LatLong, park: LatLong): boolean =>
  distanceBetween(place, park) <= AT_PARK_METRES;

/** Returns the park to ask about. Null if the device is not at a park or the user was already asked during this visit. */
export function arrivedAt(
  nearest: ParkNearby | null,
  place: LatLong,
  asked: Asked | null,
  now: number,
): ParkNearby | null {
  if (!nearest || !isAt(place, nearest.location)) return null;
  const again = asked?.parkId === nearest.id && now - asked.at < ASKED_FOR_MS;
  return again ? null : nearest;
}

/** Parses `12 1764000000000`; returns null for anything else. */
export function parseAsked(text: string | null): Asked | null {
  const [, id, at] = /^(\d+) (\d+)$/.exec(text ?? '') ?? [];
  return id && at ? { parkId: Number(id), at: Number(at) } : null;
}

export const formatAsked = ({ parkId, at }: Asked): string => `${parkId} ${at}`;
