// Estimates for each surface and hour how hot the ground is for paws.
import { isShaded, type Sun } from './shade.ts';
import type { Ground } from '../enums.ts';

/** Surfaces that dogs walk on: the park's ground, and asphalt on the way there. */
type Surface = Ground | 'ASPHALT';

/** Degrees by which a dry surface gets warmer than the air at 1000 W/m² of sunlight. */
const RISE: Readonly<Record<Surface, number>> = {
  ASPHALT: 31,
  SYNTHETIC_GRASS: 40,
  SAND: 27,
  DIRT: 19,
  GRASS: 7,
};
/** Fraction of the solar radiation that reaches shaded ground, as diffuse light from the sky. */
const IN_SHADE = 0.2;

/** From this temperature on, a hand cannot stay on the ground for seven seconds; at 52 °C skin burns within a minute. */
export const BURNING = 50;
/** Temperature in degrees Celsius above which dogs avoid the ground. */
const HOT = 45;
/** From this temperature on, the ground is noticeably warm: most dogs walk faster or lift their paws. */
const WARM = 40;
/** The estimate may be off by this many degrees in either direction, and more in wind or after rain. */
export const UNCERTAINTY = 6;

export const GROUND_LEVELS = ['fine', 'warm', 'hot', 'burning'] as const;
type GroundLevel = (typeof GROUND_LEVELS)[number];

/** Classifies a temperature for paws; used wherever one is shown. */
export const groundLevel = (degrees: number): GroundLevel =>
  degrees >= BURNING ? 'burning' : degrees >= HOT ? 'hot' : degrees >= WARM ? 'warm' : 'fine';

export interface HourOfSun {
  /** Hour of the day; values from 24 are tomorrow. */
  hour: number;
  /** Air temperature in degrees Celsius. */
  temperature: number;
  /** Mean of the preceding hour in W/m² on a level surface (Open-Meteo's shortwave_radiation); null if unknown. */
  radiation?: number | null;
}

/**
 * Estimates the temperature of a surface in degrees Celsius to within about 6 degrees; null without a forecast of the sun.
 *
 * The surface is warmer than the air in proportion to the sun on it (the sol-air temperature of ASHRAE's Handbook of
 * Fundamentals). The proportion is measured: asphalt of 52 °C at 25 °C air and 62 °C at 31 °C in full sun (J. Berens, Thermal
 * contact burns from streets and highways, JAMA 214, 1970); relative to asphalt, synthetic grass rises 1.3 times as much, bare soil
 * 0.6 times, watered grass hardly (C. F. Williams and G. E. Pulley, Synthetic surface heat studies, Brigham Young University,
 * 2002); dry sand is between soil and asphalt. Lawns are often dry here, so grass is assumed to be warmer than watered grass. Wind,
 * rain and the colour and age of the ground are unknown, so feeling the ground by hand is more reliable.
 * @param shaded whether the ground is in the shade
 */
export function groundTemperature(
  surface: Surface,
  { temperature, radiation }: HourOfSun,
  shaded: boolean,
): number | null {
  if (radiation === null || radiation === undefined) return null;
  return temperature + (RISE[surface] * radiation * (shaded ? IN_SHADE : 1)) / 1000;
}

/**
 * Temperature of a park's coolest ground at an hour, because dogs choose it; null if the ground or the radiation is unknown.
 * @param shade hours of shade per day; if unknown, full sun is assumed
 */
export function parkGround(
  materials: readonly Ground[],
  hour: HourOfSun,
  shade: number | null,
  sun: Sun,
): number | null {
  const shaded = shade !== null && isShaded(hour.hour, shade, sun);
  const found = materials.flatMap((surface) => groundTemperature(surface, hour, shaded) ?? []);
  return found.length > 0 ? Math.min(...found) : null;
}
