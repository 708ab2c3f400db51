// Positions: the default one with its zoom, and parsing of untrusted coordinates.
import type { LatLong } from '#/core/distance.ts';

/** The home map's zoom, which shows walking distance. */
export const HOME_ZOOM = 16;

let start: LatLong = { lat: 32.09992, long: 34.809212 };

export const setStartPlace = (place: LatLong): void => void (start = place);

export const startPlace = (): LatLong => start;

export const isLatLong = (place: Partial<LatLong> | null | undefined): place is LatLong =>
  typeof place?.lat === 'number' &&
  typeof place.long === 'number' &&
  Math.abs(place.lat) <= 90 &&
  Math.abs(place.long) <= 180;

/** Returns null unless both values are numbers or numeric strings in range. */
export function readLatLong(lat: unknown, long: unknown): LatLong | null {
  const place = { lat: toNumber(lat), long: toNumber(long) };
  return isLatLong(place) ? place : null;
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
}
