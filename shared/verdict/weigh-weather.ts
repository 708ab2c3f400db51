// Weighs an hour's weather against going to a park: rain, heat, cold, and the temperature of the ground.
import { type Reason, type Weighed, weighed } from './reason.ts';
import { BURNING, GROUND_LEVELS, groundLevel } from './ground-temperature.ts';
import { fromNoon, isShaded, isSunUp, type Sun } from './shade.ts';

export interface HourWeather {
  /** 0 to 23 today, from 24 on tomorrow, in the park's time zone. */
  hour: number;
  /** Degrees Celsius. */
  temperature: number;
  /** Chance of rain, 0 to 100. */
  rain: number;
  thunder?: boolean;
  /** Ground temperature in degrees Celsius; null or missing if unknown. */
  ground?: number | null;
  /** Temperature of asphalt, which is on the way to most parks; missing if unknown. */
  asphalt?: number | null;
}

/**
 * Degrees that direct sun adds, because dogs are near the ground and feel it more. Half of that is added if the sun is low or the
 * shade is unknown.
 */
const SUN_ADDS_DEGREES = 4;
const HIGH_SUN_HOURS = 4;
const SUN_COUNTS_FROM_DEGREES = 22;
/** Pleasant temperatures. A temperature outside this range is not necessarily too hot or too cold. */
const PLEASANT = { from: 10, to: 27 };
/** Returns the temperature as felt by a dog near the ground. */
function feltTemperature(
  { hour, temperature }: HourWeather,
  shade: number | null,
  sun: Sun,
): number {
  if (temperature < SUN_COUNTS_FROM_DEGREES || !isSunUp(hour, sun)) return temperature;
  if (shade !== null && isShaded(hour, shade, sun)) return temperature;
  return (
    temperature +
    (shade !== null && fromNoon(hour, sun) < HIGH_SUN_HOURS
      ? SUN_ADDS_DEGREES
      : SUN_ADDS_DEGREES / 2)
  );
}

/** @param shade hours of shade per day, or null if unknown */
export const weighWeather = (weather: HourWeather, shade: number | null, sun: Sun): Weighed[] => [
  ...weighRain(weather),
  ...weighGround(weather),
  ...weighHeat(weather, shade, sun),
];

function weighRain({ rain, thunder }: HourWeather): Weighed[] {
  if (thunder) return [weighed(3, { type: 'thunder', good: false })];
  const weight = rain >= 70 ? 3 : rain >= 50 ? 2 : rain >= 20 ? 1 : 0;
  if (weight === 0) return [weighed(0, { type: 'dry', good: true })];
  return [weighed(weight, { type: 'rain', percent: Math.round(rain), good: false })];
}

function weighHeat(weather: HourWeather, shade: number | null, sun: Sun): Weighed[] {
  const felt = feltTemperature(weather, shade, sun);
  const temperature = Math.round(weather.temperature);
  const heat = felt >= 36 ? 3 : felt >= 32 ? 2 : felt >= 30 ? 1 : 0;
  const cold = weather.temperature <= 3 ? 1 : 0;
  const found: Weighed[] = [];
  if (heat > 0) found.push(weighed(heat, { type: 'heat', temperature, good: false }));
  else if (cold > 0) found.push(weighed(cold, { type: 'cold', temperature, good: false }));
  else if (temperature >= PLEASANT.from && temperature <= PLEASANT.to)
    found.push(weighed(0, { type: 'mild', temperature, good: true }));
  if (
    shade !== null &&
    weather.temperature >= SUN_COUNTS_FROM_DEGREES &&
    isSunUp(weather.hour, sun)
  ) {
    const shaded = isShaded(weather.hour, shade, sun);
    // The weight is 0, because the felt temperature already includes the effect of the sun.
    found.push(weighed(0, { type: shaded ? 'shaded' : 'sunny', good: shaded }));
  }
  return found;
}

/**
 * If asphalt is too hot now, returns the hour from which paws can walk on it. The reason only informs, because the park's own
 * ground may be cool.
 * @param later the following hours, as far as known
 */
export function asphaltReason(
  now: HourWeather | undefined,
  later: readonly HourWeather[],
): Reason | null {
  if ((now?.asphalt ?? 0) < BURNING) return null;
  const fine = later.find(({ asphalt }) => (asphalt ?? BURNING) < BURNING);
  return fine
    ? { type: 'asphaltFrom', hour: fine.hour, good: false }
    : { type: 'hotAsphalt', good: false };
}

function weighGround({ ground }: HourWeather): Weighed[] {
  const temperature = Math.round(ground ?? 0);
  const weight = GROUND_LEVELS.indexOf(groundLevel(temperature));
  return weight === 0 ? [] : [weighed(weight, { type: 'hotGround', temperature, good: false })];
}
