// Parses a forecast and selects its readings for the badge, the hourly weather and the verdict. Pure.
import * as v from 'valibot';
import type { LatLong } from '../lat-long.ts';
import { DAY_MS } from '../durations.ts';
import { parkTimeZone } from '../park-time.ts';

const hourly = v.object({
  time: v.array(v.string()),
  temperature_2m: v.array(v.nullable(v.number())),
  precipitation_probability: v.array(v.nullable(v.number())),
  weathercode: v.array(v.nullable(v.number())),
  shortwave_radiation: v.array(v.nullable(v.number())),
});

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== '';
  } catch {
    return false;
  }
}

/**
 * Rounds coordinates to about 5 km. The service is not more precise, nearby parks share a response, and the exact location stays
 * private.
 */
const cell = (degrees: number): string => (Math.round(degrees * 20) / 20).toFixed(2);

/** Returns the latitude and longitude of the cell of a place. Places in the same cell have the same forecast. */
export const forecastCell = ({ lat, long }: LatLong): [string, string] => [cell(lat), cell(long)];

/** The parts of Open-Meteo's response that are used. */
export const forecastSchema = v.object({
  timezone: v.optional(v.pipe(v.string(), v.check(isTimeZone)), parkTimeZone),
  hourly,
});

export type Forecast = v.InferOutput<typeof forecastSchema>;

export interface WeatherReading {
  /** Degrees Celsius. */
  temperature: number;
  /** Chance of rain in percent. */
  rain: number;
  weatherCode: number | null;
  /** Solar radiation on the ground in W/m²; null if unknown. */
  radiation: number | null;
  /** 0 to 23 today, from 24 on tomorrow, in the forecast's time zone. */
  hour: number;
}

export type WeatherType =
  | 'clear'
  | 'mainlyClear'
  | 'cloudy'
  | 'fog'
  | 'lightRain'
  | 'heavyRain'
  | 'thunderstorm'
  | 'snow'
  | 'unknown';

/** Returns whether to show the badge: the chance of rain is above 5%. */
export const expectsRain = (reading: WeatherReading): boolean => reading.rain > 5;

/** Returns the readings from the current hour to the end of tomorrow; empty if the forecast lacks the current hour. */
export function readingsFrom(forecast: Forecast, now: Date): WeatherReading[] {
  const hour = localHour(now, forecast.timezone);
  const { time, temperature_2m, precipitation_probability, weathercode, shortwave_radiation } =
    forecast.hourly;
  const start = time.findIndex((text) => text.slice(0, 13) === hour);
  const today = dayOf(hour);
  if (start === -1) return [];
  return time.slice(start).flatMap((text, offset) => {
    const at = start + offset;
    const temperature = temperature_2m[at];
    const rain = precipitation_probability[at];
    if (typeof temperature !== 'number' || typeof rain !== 'number') return [];
    return [
      {
        temperature,
        rain,
        weatherCode: weathercode[at] ?? null,
        radiation: shortwave_radiation[at] ?? null,
        hour: (dayOf(text) - today) * 24 + Number(text.slice(11, 13)),
      },
    ];
  });
}

/** Readings from this hour on, for the verdict. All parks are in one time zone, so the forecast's hour is that of the park. */
export const hoursAhead = (forecast: Forecast | undefined, now: Date) =>
  (forecast ? readingsFrom(forecast, now) : []).map((reading) => ({
    ...reading,
    thunder: weatherType(reading.weatherCode) === 'thunderstorm',
  }));

export function currentReading(forecast: Forecast, now: Date): WeatherReading | null {
  const [first] = readingsFrom(forecast, now);
  // Hours without numbers are omitted, so the first reading may be of a later hour.
  return first?.hour === Number(localHour(now, forecast.timezone).slice(11)) ? first : null;
}

/** Converts a text that starts with a date to days since 1970-01-01. */
const dayOf = (text: string): number => Date.parse(text.slice(0, 10)) / DAY_MS;

/** Cached, because creating a formatter is slow. */
let formatter: { timeZone: string; format: Intl.DateTimeFormat } | null = null;

function localHour(now: Date, timeZone: string): string {
  if (formatter?.timeZone !== timeZone) {
    const hour = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const;
    const format = new Intl.DateTimeFormat('en-CA', { timeZone, ...hour, hourCycle: 'h23' });
    formatter = { timeZone, format };
  }
  const parts = formatter.format.formatToParts(now);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}`;
}

/** Maps WMO weather codes to a few types that matter for walking a dog. */
export function weatherType(code: number | null): WeatherType {
  if (code === null) return 'unknown';
  if (code === 0) return 'clear';
  if (code === 1) return 'mainlyClear';
  if (code === 2 || code === 3) return 'cloudy';
  if (code === 45 || code === 48) return 'fog';
  if ([63, 65, 67, 81, 82].includes(code)) return 'heavyRain';
  if ((code >= 71 && code <= 77) || code === 85 || code === 86) return 'snow';
  if (code >= 51 && code <= 80) return 'lightRain';
  return code >= 95 && code <= 99 ? 'thunderstorm' : 'unknown';
}
