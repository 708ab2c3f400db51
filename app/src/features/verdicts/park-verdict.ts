// The verdict of a park: turns what is stored and forecast of it into what the rules ask about.
import { hoursOfPark, openingAhead } from '#/core/opening-hours/hours-of-park.ts';
import { MINUTE_MS } from '#/core/durations.ts';
import type { LatLong } from '#/core/distance.ts';
import { dayKindOf, parkClock, parkHour } from '#/core/park-time.ts';
import type { DogStates } from '#/entities/dogs/dog-states.ts';
import { NOBODY, type ParkLive } from '#/entities/parks/live-counts.ts';
import type { BusyHour } from '#/entities/parks/park-card.ts';
import { groundsOf, type ParkFacts } from '#/entities/parks/park-facts.ts';
import { groundTemperature, type HourOfSun, parkGround } from './ground-temperature.ts';
import { sunOf } from './shade.ts';
import { type Verdict, type VerdictInput, verdictOf } from './verdict.ts';
import type { HourWeather } from './weigh-weather.ts';

export interface KnownOfPark {
  moment: Date;
  /** Minutes until one is there, if one leaves at the moment: the verdict holds on arrival. */
  travel?: number;
  own: DogStates;
  /** Of this moment; null where only an old answer or none is known. */
  live: VerdictInput['live'];
  /** Reported there as far as anybody knows, also by an old answer: better to warn too long. */
  hazards: VerdictInput['hazards'];
  facts: ParkFacts | undefined;
  /** Where the park is: the sun opens some of them. */
  place: LatLong;
  /** From the moment's hour on; empty without a forecast. */
  weather: readonly (HourWeather & HourOfSun)[];
  busyHours: readonly BusyHour[] | undefined;
}

/** What the counts say of a park. They name only parks with something to say; the others are known to be empty. */
export function liveAt(
  counts: Readonly<Record<number, ParkLive>> | undefined,
  parkId: number,
  isNow = true,
): VerdictInput['live'] {
  if (!counts) return null;
  const { dogs_now, conditions } = counts[parkId] ?? NOBODY;
  return { dogs: isNow ? dogs_now : null, conditions };
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
    tomorrowKind: dayKindOf(day + 1),
    live,
    hazards,
    own,
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
