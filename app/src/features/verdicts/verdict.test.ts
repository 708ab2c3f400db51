// Tests the verdict in about a hundred situations, with the text that a dog owner would expect.
import MessageFormat from '@messageformat/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BusyHour } from '../../../../shared/verdict/busy-hours.ts';
import { setParkTime } from '../../../../shared/park-time.ts';
import { type VerdictInput, verdictOf } from '../../../../shared/verdict/verdict.ts';
import { groundTemperature, parkGround } from '../../../../shared/verdict/ground-temperature.ts';
import { isShaded, sunOf } from '../../../../shared/verdict/shade.ts';
import type { HourWeather } from '../../../../shared/verdict/weigh-weather.ts';
import { verdictLabel } from '#/features/verdicts/verdict-label.ts';
import type { KnownHazard } from '../../../../shared/verdict/hazards.ts';
import type { Translate } from '#/i18n/i18n.ts';
import english from '../../../../languages/en/app.json' with { type: 'json' };
import type { Ground, ParkHazard } from '../../../../shared/enums.ts';

const messages = new MessageFormat('en');
const t: Translate = (key, values) => messages.compile(english[key])(values);

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Returns a dry day of 20 degrees with the given changes. */
const day = (of: (hour: number) => Partial<HourWeather> = () => ({})): HourWeather[] =>
  HOURS.map((hour) => ({ hour, temperature: 20, rain: 0, ...of(hour) }));

/** Returns two dry days of 20 degrees with the given changes. */
const twoDays = (of: (hour: number) => Partial<HourWeather>): HourWeather[] =>
  Array.from({ length: 48 }, (_, hour) => ({ hour, temperature: 20, rain: 0, ...of(hour) }));

const degrees = (temperature: number) => day(() => ({ temperature }));
const raining = (rain: number) => day(() => ({ rain }));

/** August at the coast with 24° at dawn, 31° from 11:00 to 17:00, and 27° in the evening. */
const august = day((hour) => ({
  temperature:
    hour < 7 ? 24 : hour < 9 ? 26 : hour < 11 ? 29 : hour < 17 ? 31 : hour < 19 ? 29 : 27,
}));
const heatWave = day((hour) => ({ temperature: hour < 7 ? 27 : hour < 20 ? 37 : 30 }));

const usually = (dogs: (hour: number) => number, samples = 20): BusyHour[] =>
  HOURS.map((hour) => ({ day_type: 'weekday', hour, dogs: dogs(hour), samples }));

const AUGUST_NOON = { hour: 13, shade: 3, weather: august };
const MAY_NOON = { hour: 12, shade: 2, weather: degrees(24) };

/** Nine dogs are usually there after work, from 17:00 to 21:00. */
const evenings = usually((hour) => (hour >= 17 && hour <= 20 ? 9 : 1));
const confirmed = (type: ParkHazard): KnownHazard => ({ type, verified: true });
const here = (dogs: number, ...conditions: string[]) => ({ dogs, conditions });
/** Twelve dogs are there, which usually leave by 20:00. */
const CROWD = { hour: 18, live: here(12), busyHours: usually((hour) => (hour < 20 ? 12 : 2)) };

/** The sun on the longest day in Israel. */
const SUN = sunOf({ lat: 32.07, long: 34.78 }, Date.UTC(2026, 5, 21) / 86_400_000);

/** A spring morning with three dogs in a half-shaded park. */
const SPRING: VerdictInput = {
  sun: SUN,
  hour: 10,
  dayType: 'weekday',
  tomorrowType: 'weekday',
  live: here(3),
  size: null,
  shade: 6,
  weather: day(),
  busyHours: [],
  opening: null,
  hazards: [],
};

const NOTHING = 'says nothing';

/** @param hours of opening and closing, alternately */
const open = (...hours: number[]) =>
  hours.flatMap((opensAt, at) =>
    at % 2 === 0 ? [{ opensAt, closesAt: hours[at + 1] ?? opensAt }] : [],
  );

/** A clear day with sun from 06:00 to 18:00 and 900 W/m² at noon. */
const radiation = (hour: number) => Math.max(0, 900 * Math.sin(((hour - 6) / 12) * Math.PI));
/** Returns a park with this ground, whose temperature is computed. */
const on = (...surfaces: Ground[]) => ({ surfaces });

type Situation = Partial<VerdictInput> & { surfaces?: Ground[] };

/** Situations by their name, grouped by the expected text. */
const SITUATIONS: Record<string, Record<string, Situation>> = {
  'Good time to go now · Pleasant: 20°': {
    'a mild dry morning': {},
    'a mild morning, nobody there yet': { live: here(0) },
    'eight dogs in a park of unknown size': { live: here(8) },
    'fifteen dogs in a large park': { live: here(15), size: 'large' },
    'a small chance of rain': { weather: raining(15) },
    'a weekend whose weekdays are busy': { dayType: 'weekend', busyHours: evenings, live: here(1) },
    'rain only tonight': { weather: day((hour) => ({ rain: hour < 20 ? 0 : 90 })) },
    'the gate closes much later': { opening: open(6, 22) },
    'empty now, and after work too': { live: here(1), busyHours: usually(() => 1) },
    'empty at an hour that is usually full': { hour: 18, live: here(0), busyHours: evenings },
    'five dogs before the busy hours: not quiet': { live: here(5), busyHours: evenings },
    'after the busy hours': { hour: 21, live: here(1), busyHours: evenings },
    'a single visit is not enough history': {
      live: here(1),
      busyHours: usually((hour) => (hour === 17 ? 9 : 0), 0).map((row) =>
        row.hour === 17 ? { ...row, samples: 1 } : row,
      ),
    },
    'open past midnight': { hour: 21, weather: degrees(20), opening: open(18, 26) },
    'open day and night': { hour: 21, opening: open(0, 336) },
    'quiet tonight and busy tomorrow: no window ends in the morning': {
      hour: 21,
      weather: twoDays(() => ({})),
      live: here(1),
      busyHours: usually((hour) => (hour === 7 ? 9 : 1)),
    },
  },
  'Good time to go now · Pleasant: 14°': { 'a cool evening': { hour: 20, weather: degrees(14) } },
  'Good time to go now · Pleasant: 16°': {
    'early, before work': { hour: 6, weather: degrees(16) },
  },
  'Good time to go now · Probably shaded at this hour': {
    '28° in deep shade': { hour: 13, shade: 12, weather: degrees(28) },
  },
  'Good time to go now · Pleasant: 27°': { 'a late summer evening': { hour: 21, weather: august } },
  'Good until 09:00 · Too hot from 09:00': {
    'an August morning before the heat': { hour: 8, shade: 3, weather: august },
    'quiet, but the heat comes before the crowd': {
      hour: 8,
      shade: 3,
      live: here(0),
      weather: august,
      busyHours: evenings,
    },
  },
  'Good until 12:00 · Rain from 12:00': {
    'dry now, rain at noon': { weather: day((hour) => ({ rain: hour < 12 ? 5 : 80 })) },
  },
  'Good until 11:00 · Thunderstorm from 11:00': {
    'dry now, a thunderstorm in an hour': { weather: day((hour) => ({ thunder: hour >= 11 })) },
  },
  'Good until 22:00 · Closes at 22:00': {
    'the gate closes in two hours': { hour: 20, opening: open(6, 22) },
  },
  'Quiet until 17:00 · Usually quiet at this hour': {
    'empty now, full after work': { live: here(1), busyHours: evenings },
    'quiet without a forecast': { live: here(1), weather: [], busyHours: evenings },
  },
  'Quiet until 17:00 · Pleasant: 20°': {
    'one dog where there are usually three': {
      live: here(1),
      busyHours: usually((hour) => (hour >= 17 && hour <= 20 ? 9 : 3)),
    },
  },
  'Crowded now · Pleasant: 20°': {
    'twelve dogs': { hour: 18, live: here(12) },
    'seven dogs in a small park': { live: here(7), size: 'small' },
    'twelve dogs who usually leave by eight, when it may rain': {
      ...CROWD,
      weather: day((hour) => ({ rain: hour < 20 ? 0 : 30 })),
    },
    'twelve dogs who usually leave by eight, with unknown weather then': {
      ...CROWD,
      weather: day().filter(({ hour }) => hour < 20),
    },
    'twelve dogs who usually stay for hours': {
      hour: 15,
      live: here(12),
      busyHours: usually(() => 12),
    },
  },
  'Better around 20:00 · 12 dogs now': {
    'twelve dogs who usually leave by eight': CROWD,
  },
  'Better around 17:00 · Hot: 31°': {
    'an August noon with little shade': AUGUST_NOON,
    'no water in the heat': { ...AUGUST_NOON, live: here(3, 'brokenFountain') },
  },
  'Better around 19:00 · Hot: 31°': {
    'an August noon, shade unknown': { ...AUGUST_NOON, shade: null },
  },
  'Warm, keep to the shade · Probably shaded at this hour': {
    'an August noon under trees': { ...AUGUST_NOON, shade: 12 },
    'an August noon on sand under trees': { ...AUGUST_NOON, shade: 12, ...on('SAND') },
  },
  'Warm, and little shade': { '27° in the sun': { hour: 13, shade: 3, weather: degrees(27) } },
  'Good time to go now · No rain expected': {
    'a warm night': { hour: 22, weather: degrees(29) },
    'a raw winter day': { weather: degrees(6) },
  },
  'Good time to go now · Pleasant: 25°': {
    '25° in the sun': { hour: 13, shade: 3, weather: degrees(25) },
  },
  'Better around 20:00 · Hot: 37°': {
    'a heat wave, in the shade as well': { hour: 14, shade: 12, weather: heatWave },
  },
  'Better not now · Hot: 38°': {
    'a heat wave that does not end today': { hour: 14, weather: degrees(38) },
  },
  'Better not now · Hot: 35°': {
    'heat, and the cooler hours are unknown': {
      hour: 14,
      weather: degrees(35).filter(({ hour }) => hour < 18),
    },
  },
  'Better not now · The ground burns paws, about 52°': {
    'hot ground under mild air': {
      hour: 14,
      weather: day(() => ({ temperature: 26, ground: 52 })),
      shade: 12,
    },
  },
  'Warm ground, mind the paws · Probably shaded at this hour': {
    'warm ground': { hour: 14, weather: day(() => ({ temperature: 24, ground: 41 })), shade: 12 },
  },
  'Better around 19:00 · The ground burns paws, about 50°': {
    'ground that cools by the evening': {
      hour: 15,
      shade: 12,
      weather: day((hour) => ({ temperature: 26, ground: hour < 19 ? 50 : 36 })),
    },
  },
  'Better not now · Hot: 37°': {
    'cooler only after the gate closes': { hour: 14, weather: heatWave, opening: open(6, 19) },
    'heat that ends ten minutes before the gate closes': {
      hour: 14,
      weather: heatWave,
      opening: open(6, 20.25),
    },
  },
  'Better around 12:00 · 80% chance of rain': {
    'a shower until noon': { weather: day((hour) => ({ rain: hour < 12 ? 80 : 5 })) },
  },
  'Better not now · 90% chance of rain': {
    'rain all day': { weather: raining(90) },
    'only yesterday’s counts, pouring rain': { live: null, weather: raining(90) },
  },
  'It may rain · Pleasant: 20°': {
    'maybe rain': { weather: raining(30) },
    'rain is almost as likely as not': { weather: raining(45) },
  },
  'Better around 13:00 · Thunderstorm': {
    'a thunderstorm': { weather: day((hour) => ({ thunder: hour < 13 })) },
  },
  'Cold now': { 'a frosty morning': { hour: 7, weather: degrees(1) } },
  'Better around 10:00 · 30% chance of rain': {
    'cold and maybe wet': {
      hour: 7,
      weather: day((hour) => ({ temperature: hour < 10 ? 2 : 12, rain: hour < 10 ? 30 : 0 })),
    },
  },
  'Better not now · Gate closed': {
    'the gate is closed': { live: here(3, 'gateClosed') },
    'three at night at a closed gate': { hour: 3, live: here(0, 'gateClosed') },
  },
  'Better not now · Closed': { 'closed by the municipality': { live: here(0, 'closed') } },
  'Better not now · Under construction': {
    'under construction, in the best weather': { live: here(0, 'underConstruction') },
  },
  'Good, but muddy · Pleasant: 20°': { muddy: { live: here(3, 'muddy') } },
  'Good, but muddy': { 'muddy, and no forecast': { live: here(3, 'muddy'), weather: [] } },
  'Better around 16:00 · 30% chance of rain': {
    'muddy and maybe more rain, dry by four': {
      live: here(3, 'muddy'),
      weather: day((hour) => ({ rain: hour < 16 ? 30 : 0 })),
    },
  },
  'Good, but bring water · Pleasant: 20°': {
    'no water': { live: here(3, 'brokenFountain') },
    'no water in the park at all': { hazards: [confirmed('noWater')] },
  },
  'Better not now · Poison bait reported': {
    'poison bait': { hazards: [confirmed('poison')] },
    'an unconfirmed report of poison bait, and mud': {
      live: here(3, 'muddy'),
      hazards: [{ type: 'poison', verified: false }],
    },
  },
  'With care: Poison bait reported · Pleasant: 20°': {
    'an unconfirmed report of poison bait': {
      hazards: [{ type: 'poison', verified: false }],
    },
  },
  'Better not now · Aggressive loose dog reported': {
    'an aggressive loose dog, in an empty park at the best hour': {
      live: here(0),
      busyHours: evenings,
      hazards: [confirmed('looseDog')],
    },
  },
  'Better not now · Broken glass reported': {
    'three at night with broken glass': { hour: 3, hazards: [confirmed('glass')] },
    'broken glass, and only yesterday’s counts': { live: null, hazards: [confirmed('glass')] },
    'broken glass, with mud': { live: here(3, 'muddy'), hazards: [confirmed('glass')] },
  },
  'Good, but the fence is broken · Pleasant: 20°': {
    'a broken fence': { hazards: [confirmed('brokenFence')] },
  },
  'With care: Kennel cough reported · Pleasant: 20°': {
    'kennel cough': { hazards: [confirmed('kennelCough')] },
  },
  'Better not now · Your puppy is not fully vaccinated yet': {
    'a puppy without its vaccinations, in an empty park': {
      live: here(0),
      own: { puppy: true, inHeat: false },
    },
  },
  'Better not now · Your dog is in heat': {
    'a dog in heat, and others there': { own: { puppy: false, inHeat: true } },
  },
  'With care: Your dog is in heat · Pleasant: 20°': {
    'a dog in heat, and nobody there': { live: here(0), own: { puppy: false, inHeat: true } },
  },
  'Closed, opens at 06:00': { 'before the gate opens': { hour: 5, opening: open(6, 22) } },
  'Closed for today': {
    'after it closed': { hour: 22, opening: open(6, 22) },
    'closed for the whole day': { opening: [] },
    'one minute after it closed': { hour: 22, minute: 1, opening: open(6, 22) },
  },
  'Closed, opens at 16:30': {
    'in the break at noon': { hour: 14, opening: open(6, 13, 16.5, 22) },
  },
  'Good until 14:30 · Closes at 14:30': {
    'an hour before it closes for the Sabbath': { hour: 13, minute: 30, opening: open(6, 14.5) },
  },
  'Better not now · Closes at 14:30': {
    'ten minutes before it closes for the Sabbath': {
      hour: 14,
      minute: 20,
      opening: open(6, 14.5),
    },
  },
  'Better around 16:00 · Closes at 13:00': {
    'ten minutes before the break': { hour: 12, minute: 50, opening: open(6, 13, 16, 22) },
  },
  'Closed, opens at 16:00': {
    'closed, in the best weather, with company': { live: here(5), opening: open(16, 22) },
  },
  'Better tomorrow around 07:00 · 80% chance of rain': {
    'a wet evening before a dry morning': {
      hour: 19,
      weather: twoDays((hour) => ({ rain: hour < 31 ? 80 : 0 })),
    },
  },
  'Better not now · 80% chance of rain': {
    'rain until tomorrow’s evening': {
      hour: 19,
      weather: twoDays((hour) => ({ rain: hour < 44 ? 80 : 0 })),
    },
  },
  'Better tomorrow around 09:00 · 50% chance of rain': {
    'a wet evening, and a crowded weekend morning': {
      hour: 19,
      tomorrowType: 'weekend',
      weather: twoDays((hour) => ({ rain: hour < 24 ? 50 : hour < 32 ? 20 : 0 })),
      busyHours: HOURS.map((hour) => ({
        day_type: 'weekend',
        hour,
        dogs: hour >= 6 && hour < 9 ? 12 : 1,
        samples: 20,
      })),
    },
  },
  'Better tomorrow around 06:00 · Hot: 33°': {
    'the heat of a summer evening, cool at six': {
      hour: 20,
      weather: twoDays((hour) => ({ temperature: hour < 28 ? 33 : 26 })),
    },
  },
  'Better around 20:00 · 80% chance of rain': {
    'it clears up tonight, so tomorrow is not suggested': {
      hour: 17,
      weather: twoDays((hour) => ({ rain: hour < 20 ? 80 : 0 })),
    },
  },
  'Better tomorrow around 08:00 · Closes at 22:00': {
    'ten minutes before it closes for the night': {
      hour: 21,
      minute: 50,
      weather: twoDays(() => ({})),
      opening: open(6, 22, 31.5, 46),
    },
  },
  'Closed, opens tomorrow at 06:00': {
    'closed for the night': { hour: 22, opening: open(6, 22, 30, 46) },
  },
  'Good until 01:00 · Rain from 01:00': {
    'the hour after midnight is tonight': {
      hour: 22,
      weather: twoDays((hour) => ({ rain: hour < 25 ? 0 : 80 })),
    },
  },
  'Better not now · Hot: 34°': {
    'rain at six tomorrow, and then as much sun as today': {
      hour: 20,
      shade: 0,
      weather: twoDays((hour) => ({
        temperature: hour < 24 ? 34 : 31,
        rain: hour === 30 ? 80 : 0,
      })),
    },
  },
  'Better around 19:00 · The ground burns paws, about 54°': {
    'an August noon on sand': { ...AUGUST_NOON, shade: 0, ...on('SAND') },
  },
  'Better around 17:00 · The ground burns paws, about 60°': {
    'synthetic grass in May': { ...MAY_NOON, ...on('SYNTHETIC_GRASS') },
  },
  'Good time to go now · Not on asphalt before about 14:00': {
    'grass in May, and asphalt on the way': { ...MAY_NOON, ...on('GRASS') },
    'sand next to a lawn: the dogs choose': {
      ...MAY_NOON,
      ...on('SYNTHETIC_GRASS', 'GRASS'),
    },
  },
  'Good time to go now · Pleasant: 24°': {
    'grass in May, in the afternoon': { ...MAY_NOON, hour: 14, ...on('GRASS') },
    'synthetic grass at night': { hour: 21, weather: degrees(24), ...on('SYNTHETIC_GRASS') },
  },
  'Good time to go now · Asphalt is too hot today': {
    'grass in May, and when asphalt cools is unknown': {
      ...MAY_NOON,
      weather: degrees(24).filter(({ hour }) => hour < 14),
      ...on('GRASS'),
    },
  },
  'Quiet until 17:00 · Not on asphalt before about 14:00': {
    'grass in May before the busy hours': {
      ...MAY_NOON,
      live: here(1),
      busyHours: evenings,
      ...on('GRASS'),
    },
  },
  [NOTHING]: {
    'three at night, mild and empty': { hour: 3, live: here(0), busyHours: evenings },
    'three at night with mud reported': { hour: 3, live: here(0, 'muddy') },
    'midnight with company': { hour: 0, live: here(4) },
    'no forecast and no history': { weather: [] },
    'no forecast, and the gate closes in two hours': {
      hour: 20,
      weather: [],
      opening: open(6, 22),
    },
    'only yesterday’s counts, mild weather': { live: null },
    'nothing at all': { live: null, weather: [], shade: null },
  },
};

function read({ surfaces, ...facts }: Situation): string {
  const input: VerdictInput = { ...SPRING, ...facts };
  const weather = surfaces
    ? input.weather.map((hour) => ({
        ...hour,
        ground: parkGround(
          surfaces,
          { ...hour, radiation: radiation(hour.hour) },
          input.shade,
          input.sun,
        ),
        asphalt: groundTemperature('ASPHALT', { ...hour, radiation: radiation(hour.hour) }, false),
      }))
    : input.weather;
  const verdict = verdictOf({ ...input, weather });
  if (!verdict) return NOTHING;
  const { line, why } = verdictLabel(verdict, t, 'en-IL');
  return why === null ? line : `${line} · ${why}`;
}

describe('verdictOf', () => {
  const all = Object.entries(SITUATIONS).flatMap(([words, situations]) =>
    Object.entries(situations).map(([situation, facts]) => [situation, words, facts] as const),
  );
  it.each(all)('%s: %s', (_situation, words, facts) => {
    expect(read(facts)).toBe(words);
  });

  it('all reasons are returned, those against going first', () => {
    const verdict = verdictOf({ ...SPRING, ...AUGUST_NOON, live: here(3, 'muddy') });
    const kinds = verdict?.reasons.map(({ type }) => type);
    expect(kinds).toEqual(['heat', 'muddy', 'sunny', 'dry', 'dogs']);
  });

  it('a missing forecast is one of the reasons', () => {
    const verdict = verdictOf({ ...SPRING, live: here(1), weather: [], busyHours: evenings });
    expect(verdict?.reasons).toContainEqual({ type: 'noForecast', good: false });
  });
});

describe('isShaded', () => {
  it('sunny hours are around noon', () => {
    expect(isShaded(12, 4, SUN)).toBe(false);
    expect(isShaded(7, 4, SUN)).toBe(true);
    expect(isShaded(18, 4, SUN)).toBe(true);
    expect(isShaded(12, 12, SUN)).toBe(true);
    expect(isShaded(23, 0, SUN)).toBe(true);
  });

  it.each([
    ['Tel Aviv in June', 32.07, 34.78, 'Asia/Jerusalem', '2026-06-21', [13, 7, 18]],
    ['Salzburg in January', 47.8, 13.06, 'Europe/Vienna', '2026-01-10', [12, 9, 15]],
    ['Adelaide in January', -34.92, 138.6, 'Australia/Adelaide', '2026-01-10', [13, 8, 19]],
    ['Tromsø in June', 69.65, 18.96, 'Europe/Oslo', '2026-06-21', [12, 0, 23]],
  ])('uses the sun times of %s', (_place, lat, long, zone, date, hours) => {
    setParkTime(zone, [5, 6]);
    onTestFinished(() => setParkTime('Asia/Jerusalem', [5, 6]));
    // Fill the cache of `sunOf` with another day and place first.
    sunOf({ lat, long }, 0);
    const { noon, first, last } = sunOf({ lat, long }, Date.parse(date) / 86_400_000);
    expect([Math.round(noon), first, last]).toEqual(hours);
  });
});
