// Computes a park's verdict from its stored facts and the forecast.
import { hoursOfPark, openingAhead } from '../opening-hours/hours-of-park.ts';
import { MINUTE_MS } from '../durations.ts';
import type { LatLong } from '../lat-long.ts';
import { dayTypeOf, parkClock, parkHour } from '../park-time.ts';
import { groundsOf, type ParkFacts } from '../park-facts.ts';
import type { BusyHour } from './busy-hours.ts';
import { groundTemperature, type HourOfSun, parkGround } from './ground-temperature.ts';
import { sunOf } from './shade.ts';
import { type Verdict, type VerdictInput, verdictOf } from './verdict.ts';
import type { HourWeather } from './weigh-weather.ts';

export interface KnownOfPark {
  moment: Date;
  /** Minutes to get there; the verdict is for the time of arrival. */
  travel?: number;
  own?: VerdictInput['own'];
  /** Current counts; null if they are unknown or outdated. */
  live: VerdictInput['live'];
  /** Reported hazards, also from outdated data, because a late warning is better than none. */
  hazards: VerdictInput['hazards'];
  facts: ParkFacts | undefined;
  /** Location of the park, because some opening hours depend on sunrise and sunset. */
  place: LatLong;
  /** Weather from the current hour on; empty without a forecast. */
  weather: readonly (HourWeather & HourOfSun)[];
  busyHours: readonly BusyHour[] | undefined;
}

export function parkVerdict(known: KnownOfPark): Verdict | null {
  const { moment, travel = 0, own, live, hazards, facts, place, weather, busyHours } = known;
  const arrival = new Date(moment.getTime() + travel * MINUTE_MS);
  const { day, minute } = parkClock(arrival);
  const midnights = day - parkClock(moment).day;
  const shade = facts?.shade ?? null;
  const sun = sunOf(place, day);
  const grounds = groundsOf(facts?.materials);
  return verdictOf({
    ...parkHour(arrival),
    minute: minute % 60,
    tomorrowType: dayTypeOf(day + 1),
    live,
    hazards,
    ...(own && { own }),
    size: facts?.size_label ?? null,
    shade,
    sun,
    weather: weather.map((hour) => ({
      ...hour,
      hour: hour.hour - 24 * midnights,
      ground: parkGround(grounds, hour, shade, sun),
      asphalt: groundTemperature('ASPHALT', hour, false),
    })),
    busyHours: busyHours ?? [],
    opening: openingAhead(facts ? hoursOfPark(facts.facts, place) : null, day),
  });
}
