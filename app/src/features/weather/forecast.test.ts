// Tests the current hour of a forecast and the name of its weather code.
import { expect, it } from 'vitest';
import {
  currentReading,
  expectsRain,
  readingsFrom,
  weatherType,
  type Forecast,
} from '../../../../shared/verdict/forecast.ts';

const hours = Array.from({ length: 48 }, (_, hour) => hour);
const forecast: Forecast = {
  timezone: 'Asia/Jerusalem',
  hourly: {
    time: hours.map(
      (hour) => `2025-07-0${hour < 24 ? 1 : 2}T${String(hour % 24).padStart(2, '0')}:00`,
    ),
    temperature_2m: hours.map((hour) => 10 + hour),
    precipitation_probability: hours.map((hour) => hour * 2),
    weathercode: hours.map(() => 61),
    shortwave_radiation: hours.map((hour) => hour * 10),
  },
};

it("currentReading: uses the hour in the forecast's time zone, not that of the device", () => {
  // 11:59:59 in London in summer is 13:59:59 in Jerusalem.
  expect(currentReading(forecast, new Date('2025-07-01T10:59:59Z'))).toEqual({
    temperature: 23,
    rain: 26,
    weatherCode: 61,
    radiation: 130,
    hour: 13,
  });
  expect(currentReading(forecast, new Date('2025-07-01T11:00:00Z'))?.temperature).toBe(24);
});

it('currentReading: midnight is hour 0', () => {
  const midnight = (day: string) => currentReading(forecast, new Date(`${day}T21:00:00Z`));
  expect(midnight('2025-06-30')).toMatchObject({ hour: 0, temperature: 10 });
  expect(midnight('2025-07-01')).toMatchObject({ hour: 0, temperature: 34 });
});

it('currentReading: returns null if the hour is missing or has no values', () => {
  expect(currentReading(forecast, new Date('2025-07-03T10:00:00Z'))).toBeNull();
  const gap = structuredClone(forecast);
  gap.hourly.temperature_2m[13] = null;
  expect(currentReading(gap, new Date('2025-07-01T10:00:00Z'))).toBeNull();
});

it('readingsFrom: starts at the current hour and continues through tomorrow, whose hours start at 24', () => {
  const readings = readingsFrom(forecast, new Date('2025-07-01T18:30:00Z'));
  expect(readings.map(({ hour }) => hour)).toEqual(hours.slice(21));
  expect(readings.find(({ hour }) => hour === 30)?.temperature).toBe(40);
});

const reading = { temperature: 20, weatherCode: 61, radiation: null, hour: 13 };
it.each([
  [5, false],
  [6, true],
])('expectsRain: %i percent: %s', (rain, expected) => {
  expect(expectsRain({ ...reading, rain })).toBe(expected);
});

it.each([
  [0, 'clear'],
  [1, 'mainlyClear'],
  [2, 'cloudy'],
  [3, 'cloudy'],
  [45, 'fog'],
  [53, 'lightRain'],
  [61, 'lightRain'],
  [80, 'lightRain'],
  [65, 'heavyRain'],
  [82, 'heavyRain'],
  [73, 'snow'],
  [86, 'snow'],
  [95, 'thunderstorm'],
  [99, 'thunderstorm'],
  [12, 'unknown'],
  [null, 'unknown'],
])('weatherType: code %s is %s', (code, type) => {
  expect(weatherType(code)).toBe(type);
});
