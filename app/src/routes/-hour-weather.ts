// A forecast as the 'go now' rule takes it; features do not import each other, so the routes translate.
import type { HourWeather } from '#/features/parks/weigh-weather.ts';
import { type Forecast, readingsFrom, weatherWord } from '#/features/weather/forecast.ts';

/** Today's hours from `now` on. Parks are in one time zone, so the forecast's local hour is the park's. */
export function hourWeather(forecast: Forecast | undefined, now: Date): HourWeather[] {
  if (!forecast) return [];
  return readingsFrom(forecast, now).map((reading) => ({
    hour: Number(reading.time.slice(11, 13)),
    temperature: reading.temperature,
    rain: reading.precipitationProbability,
    thunder: weatherWord(reading.weatherCode) === 'thunderstorm',
  }));
}
