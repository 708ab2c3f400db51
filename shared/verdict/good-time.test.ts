// Tests when users are notified of a good time at a park.
import { expect, test } from 'vitest';
import type { Forecast } from './forecast.ts';
import { goodTime } from './good-time.ts';

const DAY = '2026-11-25';
const times = Array.from({ length: 24 }, (_, hour) => `${DAY}T${String(hour).padStart(2, '0')}:00`);
/** A mild, dry day; `rain` is the chance of rain by hour. */
const forecast = (rain: Record<number, number> = {}): Forecast => ({
  timezone: 'Asia/Jerusalem',
  hourly: {
    time: times,
    temperature_2m: times.map(() => 20),
    precipitation_probability: times.map((_, hour) => rain[hour] ?? 0),
    weathercode: times.map(() => 1),
    shortwave_radiation: times.map(() => 200),
  },
});

type Known = Parameters<typeof goodTime>[0];
const at = (time: string, change: Partial<Known> = {}, weather = forecast()) =>
  goodTime(
    {
      moment: new Date(`${DAY}T${time}:00+02:00`),
      live: { dogs: 1, conditions: [] },
      hazards: [],
      facts: undefined,
      place: { lat: 32.1, long: 34.8 },
      busyHours: [],
      ...change,
    },
    weather,
  );
const open = (opening_hours: string): Partial<Known> => ({
  facts: {
    ...{ size: null, size_label: null, materials: null, shade: null, has_facilities: null },
    facts: { opening_hours },
  },
});

test('good now and for an hour, with the reasons', () => {
  expect(at('14:10')).toEqual({ reasons: 'mild dry', temperature: 20 });
  expect(at('14:10', open('08:00-16:00'))).not.toBeNull();
  expect(at('14:10', {}, forecast({ 16: 90 }))).not.toBeNull();
});

test.each<[reason: string, time: string, change?: Partial<Known>, rain?: Record<number, number>]>([
  ['rain within the hour', '14:10', {}, { 15: 60 }],
  ['it closes within the hour', '14:10', open('08:00-15:00')],
  ['it is closed for a part of the hour', '14:10', open('08:00-14:40,14:55-20:00')],
  ['it is closed now', '14:10', open('16:00-20:00')],
  ['a warning', '14:10', { hazards: [{ type: 'glass', verified: false }] }],
  ['mud', '14:10', { live: { dogs: 0, conditions: ['muddy'] } }],
  ['a crowd now', '14:10', { live: { dogs: 12, conditions: [] } }],
  ['unknown counts', '14:10', { live: null }],
  ['the night begins within the hour', '22:10'],
  ['the forecast ends within the hour', '23:30'],
])('not good: %s', (_, time, change, rain) => {
  expect(at(time, change, forecast(rain))).toBeNull();
});
