// Reads a forecast: pure rules of the badge, the weather by the hour and the verdict.
import * as v from 'valibot';
import type { LatLong } from '#/core/distance.ts';
import { DAY_MS } from '#/core/durations.ts';
import { parkTimeZone } from '#/core/park-time.ts';

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

/** About five kilometres: the service knows no better, near parks share one answer, and the server learns no exact place. */
const cell = (degrees: number): string => (Math.round(degrees * 20) / 20).toFixed(2);

/** Latitude and longitude; places in the same cell have the same forecast. */
export const forecastCell = ({ lat, long }: LatLong): [string, string] => [cell(lat), cell(long)];

/** Open-Meteo's answer, as much of it as is used. */
export const forecastSchema = v.object({
  timezone: v.optional(v.pipe(v.string(), v.check(isTimeZone)), parkTimeZone),
  hourly,
});

export type Forecast = v.InferOutput<typeof forecastSchema>;

export interface WeatherReading {
  /** Degrees Celsius. */
  temperature: number;
  /** Percent that it rains. */
  rain: number;
  weatherCode: number | null;
  /** The sun on the ground, watts on a square metre; null where unknown. */
  radiation: number | null;
  /** 0 to 23 today at the place, from 24 on tomorrow. */
  hour: number;
}

export type WeatherWord =
  | 'clear'
  | 'mainlyClear'
  | 'cloudy'
  | 'fog'
  | 'lightRain'
  | 'heavyRain'
  | 'thunderstorm'
  | 'snow'
  | 'unknown';

/** Whether rain is to be expected, so that the badge is shown: above a chance of 5 %. */
export const expectsRain = (reading: WeatherReading): boolean => reading.rain > 5;

/** The readings from the hour that `now` lies in, to the end of the forecast, tomorrow; empty where it lacks that hour. */
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

/** The hours from this one on, as the verdict asks for them. Parks are in one time zone, so the forecast's hour is the park's. */
export const hoursAhead = (forecast: Forecast | undefined, now: Date) =>
  (forecast ? readingsFrom(forecast, now) : []).map((reading) => ({
    ...reading,
    thunder: weatherWord(reading.weatherCode) === 'thunderstorm',
  }));

export function currentReading(forecast: Forecast, now: Date): WeatherReading | null {
  const [first] = readingsFrom(forecast, now);
  // An hour without numbers is left out, and the next one comes first.
  return first?.hour === Number(localHour(now, forecast.timezone).slice(11)) ? first : null;
}

/** The days since 1970-01-01 of a text that begins with a date. */
const dayOf = (text: string): number => Date.parse(text.slice(0, 10)) / DAY_MS;

/** Making one costs more than all else here. */
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

/** WMO weather codes in a few words: what matters on a walk with a dog. */
export function weatherWord(code: number | null): WeatherWord {
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
