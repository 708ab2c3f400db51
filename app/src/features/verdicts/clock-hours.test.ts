// Tests the next 24 hours of a park on the paw clock.
import { expect, it } from 'vitest';
import { HOUR_MS } from '../../../../shared/durations.ts';
import { parkHour } from '../../../../shared/park-time.ts';
import { factsOf } from '#/entities/parks/park-list-file.ts';
import { clockHours, windowsOf } from '#/features/verdicts/clock-hours.ts';
import { formatSpan } from '#/features/verdicts/format-hours.ts';
import { groundLevel } from '../../../../shared/verdict/ground-temperature.ts';

const FACTS = factsOf({ ground: ['SAND'], shade: 6 });
/** 14:30 in August, in the parks' time zone. */
const NOW = Date.parse('2026-08-03T11:30:00Z');
const sunny = (from: Date) =>
  Array.from({ length: 12 }, (_, after) => {
    const { hour } = parkHour(from);
    const clock = (hour + after) % 24;
    const isDay = clock >= 8 && clock < 18;
    return {
      hour: hour + after,
      temperature: isDay ? 31 : 24,
      rain: 0,
      radiation: isDay ? 800 : 0,
    };
  });
const hoursOf = (weatherFrom: typeof sunny | (() => []), conditions: string[] = []) =>
  clockHours(
    {
      moment: NOW,
      own: { puppy: false, inHeat: false },
      live: { dogs: 9, conditions },
      hazards: [],
      facts: FACTS,
      place: { lat: 32.1, long: 34.8 },
      busyHours: [{ day_type: 'weekday', hour: 18, dogs: 4, samples: 20 }],
    },
    weatherFrom,
  );

it('the hours start now and include tomorrow morning', () => {
  const hours = hoursOf(sunny);
  expect(hours).toHaveLength(24);
  expect(hours[0]).toMatchObject({ moment: NOW, hour: 14, light: 'sun' });
  expect(hours[1]?.moment).toBe(NOW + HOUR_MS / 2);
  expect(groundLevel(hours[0]?.ground ?? 0)).toBe('burning');
  expect(hours[4]).toMatchObject({ hour: 18, dogs: 4, light: 'shade' });
  // The number of dogs there now must not affect later hours.
  expect(hours[4]?.verdict?.reasons.map(({ type }) => type)).not.toContain('dogs');
  expect(windowsOf(hours, ({ isGood }) => isGood)).toEqual([
    { from: 18 * 60, to: 23 * 60 },
    { from: 5 * 60, to: 8 * 60 },
  ]);
  const spans = (isSuch: (at: number) => boolean) =>
    windowsOf(hours, ({ hour }) => isSuch(hour)).map((span) =>
      formatSpan(span, (key) => key, 'he'),
    );
  expect(spans((hour) => hour >= 22 || hour < 2)).toEqual(['\u206622:00–02:00\u2069']);
  expect(spans((hour) => hour >= 22)).toEqual(['\u206622:00–24:00\u2069']);
  expect(spans(() => true)).toEqual(['parks.hours.allDay']);
});

it('an hour with mud is fair instead of good', () => {
  const evening = 5;
  expect(hoursOf(sunny)[evening]).toMatchObject({ hour: 19, isGood: true, isFair: false });
  expect(hoursOf(sunny, ['muddy'])[evening]).toMatchObject({ isGood: false, isFair: true });
});

it('without a forecast, light and dogs are still returned', () => {
  const [now] = hoursOf(() => []);
  expect(now).toMatchObject({ ground: null, weather: null, light: 'sun', dogs: 0 });
});
