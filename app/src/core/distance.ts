// Distances between coordinates, and their formatting.
import type { LatLong } from '../../../shared/lat-long.ts';

export type { LatLong };

const EARTH_RADIUS = 6_371_008.8;
/** Length in metres of a degree of latitude, or of longitude at the equator. */
export const METRES_OF_DEGREE = (EARTH_RADIUS * Math.PI) / 180;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

export function distanceBetween(from: LatLong, to: LatLong): number {
  const halfLat = Math.sin(radians(to.lat - from.lat) / 2);
  const halfLong = Math.sin(radians(to.long - from.long) / 2);
  const chord =
    halfLat ** 2 + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * halfLong ** 2;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Distances up to `most` metres use the unit `small`, longer ones `large`. Each unit is a name and its length in metres. */
const METRIC = { most: 995, small: ['meter', 1], large: ['kilometer', 1000] } as const;
const IMPERIAL = { most: 160, small: ['foot', 0.3048], large: ['mile', 1609.344] } as const;
let units: typeof METRIC | typeof IMPERIAL = METRIC;

export const setUnits = (name?: string): void =>
  void (units = name === 'imperial' ? IMPERIAL : METRIC);

/**
 * Rounds to tens of metres below one kilometre, and to one decimal up to ten kilometres. Feet and miles are rounded in the same
 * way.
 */
export function formatDistance(metres: number, locale: string): string {
  const short = metres < units.most;
  const [unit, length] = units[short ? 'small' : 'large'];
  const amount = metres / length;
  return inUnit(unit, short ? Math.max(10, Math.round(amount / 10) * 10) : amount, locale);
}

/** Formats a measured length, such as a fence's height, in metres or feet. */
export function formatLength(metres: number, locale: string): string {
  const [unit, length] = units.small;
  return inUnit(unit, metres / length, locale);
}

/** Number of square metres in the site's unit of area: 1 for square metres, 4046.86 for acres. */
export const areaUnit = (): number => (units === METRIC ? 1 : 4046.86);

/** Formats square metres as acres; null if the site is metric. */
export const formatAcres = (size: number, locale: string): string | null =>
  areaUnit() === 1 ? null : inUnit('acre', size / areaUnit(), locale, 2);

const inUnit = (unit: string, amount: number, locale: string, digits = 1): string =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: amount >= 9.95 ? 0 : digits,
  })
    .format(amount)
    // Prevent a line break between number and unit.
    .replaceAll(' ', '\u00A0');

/** The first of 1, 2, 5, 10, 20 … that is at least `metres`. */
export function roundLength(metres: number): number {
  const power = 10 ** Math.floor(Math.log10(metres));
  return (([1, 2, 5] as const).find((step) => step * power >= metres) ?? 10) * power;
}
