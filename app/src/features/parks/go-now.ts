// 'Go now?': one honest line about a park at this hour, a pure rule over shade, weather, usual busyness and who is there.
import type { DayKind } from '#/core/park-time.ts';
import { type Condition, isCondition } from '#/data/conditions.ts';

/** What is known about one hour of today's weather. */
export interface HourWeather {
  /** 0 to 23, park time. */
  hour: number;
  /** Degrees Celsius. */
  temperature: number;
  /** Chance of rain, 0 to 100. */
  rain: number;
}

export interface BusyHour {
  day_kind: DayKind;
  hour: number;
  /** Dogs there on average at that hour. */
  dogs: number;
  /** Days with dogs at that hour; an hour without any is an empty one once the park has any history. */
  samples: number;
}

export interface GoNowInput {
  hour: number;
  dayKind: DayKind;
  dogsNow: number;
  /** Shaded hours a day, or null where nobody said. */
  shade: number | null;
  conditions: readonly string[];
  /** Today's hours as far as known; empty without a forecast. */
  weather: readonly HourWeather[];
  busyHours: readonly BusyHour[];
}

export type GoNowVerdict = 'goodNow' | 'betterLater' | 'quietWindow';

export type GoNowReason =
  | { kind: Condition; good: false }
  | { kind: 'rain'; percent: number; good: false }
  | { kind: 'dry'; good: true }
  | { kind: 'heat' | 'cold'; temperature: number; good: false }
  | { kind: 'mild'; temperature: number; good: true }
  | { kind: 'shaded'; good: true }
  | { kind: 'sunny'; good: false }
  | { kind: 'dogs'; dogs: number; good: boolean }
  | { kind: 'usuallyQuiet'; good: true }
  | { kind: 'usuallyBusy'; good: false }
  | { kind: 'noForecast'; good: false };

export interface GoNow {
  verdict: GoNowVerdict;
  /** When it is better, or until when the quiet lasts; null where today gives no such hour. */
  hour: number | null;
  reasons: GoNowReason[];
}

/** The order in which conditions are named: what spoils a visit most comes first. */
const RANK: Readonly<Record<Condition, number>> = {
  gateClosed: 0,
  underConstruction: 1,
  muddy: 2,
  brokenFountain: 3,
};

/** The sun stands highest in Israel at about 12:40; it burns from about 7 to 18. */
const SOLAR_NOON = 12.7;
const SUN_HOURS = { first: 7, last: 18 };
const SUN_ADDS_DEGREES = 4;
/** Nobody should be sent to a park in the dead of night. */
const HOURS_TO_SUGGEST = { first: 6, last: 22 };
const QUIET_DOGS = 2;
const BUSY_DOGS = 7;
/** From this much against an hour on, it is no good hour. */
const BAD = 2;

/**
 * Whether the ground is shaded at an hour. Only the hours of shade a day are known; trees and walls throw
 * them in the morning and the evening, so the sunny rest lies around the sun's noon.
 */
export function isShaded(hour: number, shade: number): boolean {
  if (hour < SUN_HOURS.first || hour > SUN_HOURS.last) return true;
  const sunny = SUN_HOURS.last - SUN_HOURS.first + 1 - shade;
  return Math.abs(hour + 0.5 - SOLAR_NOON) > sunny / 2;
}

const inSun = (hour: number, shade: number | null) =>
  hour >= SUN_HOURS.first && hour <= SUN_HOURS.last && (shade === null || !isShaded(hour, shade));

/** Degrees as a dog on the ground has them. */
function feltTemperature(weather: HourWeather, shade: number | null): number {
  const { hour, temperature } = weather;
  return temperature >= 22 && inSun(hour, shade) ? temperature + SUN_ADDS_DEGREES : temperature;
}

function weatherPenalty(weather: HourWeather | undefined, shade: number | null): number {
  if (!weather) return 0;
  const felt = feltTemperature(weather, shade);
  const heat = felt >= 36 ? 3 : felt >= 32 ? 2 : felt >= 29 ? 1 : 0;
  const cold = weather.temperature <= 3 ? 1 : 0;
  const rain = weather.rain >= 60 ? 3 : weather.rain >= 40 ? 2 : weather.rain >= 20 ? 1 : 0;
  return heat + cold + rain;
}

const dogsPenalty = (dogs: number) => (dogs >= BUSY_DOGS ? 2 : dogs > 4 ? 1 : 0);

/** What the answer rests on, the strongest against it first. */
function reasonsFor(input: GoNowInput, now: HourWeather | undefined, usual: number | null) {
  const against: GoNowReason[] = [];
  const inFavour: GoNowReason[] = [];
  const reported = input.conditions.filter(isCondition).sort((a, b) => RANK[a] - RANK[b]);
  for (const kind of reported) against.push({ kind, good: false });
  if (now) {
    const felt = feltTemperature(now, input.shade);
    const temperature = Math.round(now.temperature);
    if (now.rain >= 20) against.push({ kind: 'rain', percent: Math.round(now.rain), good: false });
    else inFavour.push({ kind: 'dry', good: true });
    if (felt >= 29) against.push({ kind: 'heat', temperature, good: false });
    else if (now.temperature <= 3) against.push({ kind: 'cold', temperature, good: false });
    else inFavour.push({ kind: 'mild', temperature, good: true });
    if (now.temperature >= 22 && input.shade !== null) {
      if (inSun(now.hour, input.shade)) against.push({ kind: 'sunny', good: false });
      else if (now.hour >= SUN_HOURS.first && now.hour <= SUN_HOURS.last)
        inFavour.push({ kind: 'shaded', good: true });
    }
  }
  const dogs: GoNowReason = {
    kind: 'dogs',
    dogs: input.dogsNow,
    good: dogsPenalty(input.dogsNow) === 0,
  };
  (dogs.good ? inFavour : against).push(dogs);
  if (usual !== null) {
    if (usual >= BUSY_DOGS) against.push({ kind: 'usuallyBusy', good: false });
    else if (usual <= QUIET_DOGS) inFavour.push({ kind: 'usuallyQuiet', good: true });
  }
  if (!now) against.push({ kind: 'noForecast', good: false });
  return [...against, ...inFavour];
}

/**
 * Says whether to go now, later, or that this is a quiet window. Honest about what it does not know: hours
 * without a forecast are judged by busyness alone and the reasons say so.
 */
export function goNow(input: GoNowInput): GoNow {
  const history = input.busyHours.some((row) => row.samples > 0);
  const usualDogs = (hour: number): number | null => {
    if (!history) return null;
    const usual = input.busyHours.find(
      (row) => row.day_kind === input.dayKind && row.hour === hour,
    );
    return usual?.dogs ?? 0;
  };
  const weatherAt = (hour: number) => input.weather.find((entry) => entry.hour === hour);
  const penaltyAt = (hour: number, dogs: number) =>
    weatherPenalty(weatherAt(hour), input.shade) + dogsPenalty(dogs);

  const now = weatherAt(input.hour);
  const reasons = reasonsFor(input, now, usualDogs(input.hour));
  const shut =
    input.conditions.includes('gateClosed') || input.conditions.includes('underConstruction');
  const penalty = penaltyAt(input.hour, input.dogsNow);
  const later: number[] = [];
  for (
    let hour = Math.max(input.hour + 1, HOURS_TO_SUGGEST.first);
    hour <= HOURS_TO_SUGGEST.last;
    hour++
  )
    later.push(hour);

  if (shut) return { verdict: 'betterLater', hour: null, reasons };
  if (penalty >= BAD) {
    // Only hours we know as much about as about this one may be called better.
    const known = later.filter((hour) => !now || weatherAt(hour));
    const better = known.find((hour) => penaltyAt(hour, usualDogs(hour) ?? 0) <= penalty - BAD);
    return { verdict: 'betterLater', hour: better ?? null, reasons };
  }
  if (input.dogsNow <= QUIET_DOGS) {
    const busyAgain = later.find((hour) => (usualDogs(hour) ?? 0) > QUIET_DOGS + 1);
    const usual = usualDogs(input.hour);
    // A window has an end: it is one only when it usually fills up later and is not always full now.
    if (busyAgain !== undefined && usual !== null && usual <= QUIET_DOGS + 1) {
      return { verdict: 'quietWindow', hour: busyAgain, reasons };
    }
  }
  return { verdict: 'goodNow', hour: null, reasons };
}

/** What speaks for going, the most telling first: that no rain is coming says little in most months here. */
const IN_FAVOUR = ['shaded', 'mild', 'usuallyQuiet', 'dry'];

/** The reason for a verdict that one line has room for. Dogs are counted beside it, and what is unknown is no reason. */
export function mainReason({ verdict, reasons }: GoNow): GoNowReason | undefined {
  if (verdict === 'betterLater')
    return reasons.find(({ good, kind }) => !good && kind !== 'dogs' && kind !== 'noForecast');
  return IN_FAVOUR.flatMap((kind) => reasons.filter((reason) => reason.kind === kind))[0];
}
