// Whether the open app finds itself at a park, worked out on this device: pure.
import { MINUTE_MS } from '#/core/durations.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { MAX_STAY } from './check-in-limits.ts';

/** As far from the middle of a park as somebody in it can be, and a phone can err. */
const AT_PARK_METRES = 120;
/** A visit is over at the latest after this time, and the question may be asked again. */
const ASKED_FOR_MS = MAX_STAY * MINUTE_MS;

export interface ParkNearby {
  id: number;
  name: string;
  location: LatLong;
}

/** What the person was asked last: the park and when, milliseconds since the epoch. */
export interface Asked {
  parkId: number;
  at: number;
}

export const isAt = (place: LatLong, park: LatLong): boolean =>
  distanceBetween(place, park) <= AT_PARK_METRES;

/** The park to ask about, or null: the person is at none, or was asked on this visit already. */
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

/** `12 1764000000000`; anything else is nothing. */
export function parseAsked(text: string | null): Asked | null {
  const [, id, at] = /^(\d+) (\d+)$/.exec(text ?? '') ?? [];
  return id && at ? { parkId: Number(id), at: Number(at) } : null;
}

export const formatAsked = ({ parkId, at }: Asked): string => `${parkId} ${at}`;
