// How hot the ground is for paws: an estimate for each surface and hour, and from when on it is fine again.
import { isShaded, type Sun } from '#/features/verdicts/shade.ts';
import type { Ground } from '../../../../shared/enums.ts';

/** What dogs walk on: the park's own ground, and the asphalt on the way there. */
type Surface = Ground | 'ASPHALT';

/** Degrees that a dry surface gets warmer than the air under 1000 W/m² of sun. */
const RISE: Readonly<Record<Surface, number>> = {
  ASPHALT: 31,
  SYNTHETIC_GRASS: 40,
  SAND: 27,
  DIRT: 19,
  GRASS: 7,
};
/** What is left of the sun in the shade: the light of the sky. */
const IN_SHADE = 0.2;

/** From here on a hand cannot rest on it for seven seconds; skin burns within a minute at 52°. */
export const BURNING = 50;
/** From here on dogs look for another ground. */
const HOT = 45;
/** Warm enough to mind: most dogs walk faster or lift their paws. */
const WARM = 40;
/** The estimate may be wrong by this many degrees to either side, more in wind and after rain. */
export const UNCERTAINTY = 6;

export const GROUND_LEVELS = ['fine', 'warm', 'hot', 'burning'] as const;
type GroundLevel = (typeof GROUND_LEVELS)[number];

/** The one rule of what paws feel, wherever it is said or drawn. */
export const groundLevel = (degrees: number): GroundLevel =>
  degrees >= BURNING ? 'burning' : degrees >= HOT ? 'hot' : degrees >= WARM ? 'warm' : 'fine';

export interface HourOfSun {
  /** From 24 on tomorrow. */
  hour: number;
  /** Degrees Celsius of the air. */
  temperature: number;
  /** Watts on a level square metre, as the mean of the hour before (Open-Meteo's shortwave_radiation); null where unknown. */
  radiation?: number | null;
}

/**
 * The estimated temperature of a surface in degrees Celsius, right to about 6 degrees; null without a forecast of the sun.
 *
 * The surface is warmer than the air in proportion to the sun on it (the sol-air temperature of ASHRAE's Handbook of
 * Fundamentals). The proportion is measured: asphalt of 52 °C at 25 °C air and 62 °C at 31 °C in full sun (J. Berens, Thermal
 * contact burns from streets and highways, JAMA 214, 1970); relative to asphalt, synthetic grass rises 1.3 times as much, bare
 * soil 0.6 times, watered grass hardly (C. F. Williams and G. E. Pulley, Synthetic surface heat studies, Brigham Young
 * University, 2002); dry sand lies between soil and asphalt. A lawn is often dry here, so grass is taken warmer than watered.
 * Wind, rain, the colour of the ground and its age are not known: the hand on the ground knows better.
 * @param shaded whether something stands between the sun and the ground
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
 * Degrees of the coolest ground of a park at an hour, because dogs choose it; null where the ground or the sun is not known.
 * @param shade shaded hours a day; where unknown, the sun is taken to shine
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
