// Points on the earth: their one shape, the default one, distances between them and how a distance is written.
export interface LatLong {
  lat: number;
  long: number;
}

/** Where the map stands when nobody's location is known. */
export const DEFAULT_LOCATION: LatLong = { lat: 32.09992, long: 34.809212 };

const EARTH_RADIUS = 6_371_008.8;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Metres between two points along the great circle. */
export function distanceMetres(from: LatLong, to: LatLong): number {
  const lat = Math.sin(radians(to.lat - from.lat) / 2);
  const long = Math.sin(radians(to.long - from.long) / 2);
  const chord = lat * lat + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * long * long;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/**
 * A distance for people: tens of metres below one kilometre, then kilometres with one decimal below ten.
 * @param metres not negative
 * @param locale of `LANGUAGES`
 */
export function formatDistance(metres: number, locale: string): string {
  const near = metres < 995;
  const value = near ? Math.max(10, Math.round(metres / 10) * 10) : metres / 1000;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: near ? 'meter' : 'kilometer',
    unitDisplay: 'short',
    maximumFractionDigits: near || value >= 9.95 ? 0 : 1,
  }).format(value);
}

/** Reads a latitude and a longitude from anything; null unless both are numbers on the earth. */
export function readLatLong(lat: unknown, long: unknown): LatLong | null {
  const [north, east] = [toNumber(lat), toNumber(long)];
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { lat: north, long: east } : null;
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
}
