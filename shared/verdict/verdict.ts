// 'Go now?': a pure function from a park's known state at an hour to a verdict with reasons.
import type { DayType } from '../park-time.ts';
import type { Opening } from '../opening-hours/hours-of-park.ts';
import { type Closure, isCondition } from './conditions.ts';
import type { KnownHazard } from './hazards.ts';
import type { BusyHour } from './busy-hours.ts';
import { type Reason, type Weighed, weighed } from './reason.ts';
import type { Sun } from './shade.ts';
import { asphaltReason, type HourWeather, weighWeather } from './weigh-weather.ts';
import type { ParkCondition, ParkHazard } from '../enums.ts';

export interface VerdictInput {
  /** Hour of arrival. */
  hour: number;
  /** Minutes past the hour; opening hours are exact to the minute. */
  minute?: number;
  dayType: DayType;
  tomorrowType: DayType;
  /** Number of dogs (null for another hour) and reported conditions; null if they are unknown or outdated. */
  live: { dogs: number | null; conditions: readonly string[] } | null;
  /** 'small', 'medium' or 'large'; null if unknown. */
  size: string | null;
  /** Hours of shade per day, or null if unknown. */
  shade: number | null;
  sun: Sun;
  /** Weather from this hour on, as far as known; empty without a forecast. */
  weather: readonly HourWeather[];
  busyHours: readonly BusyHour[];
  /** Opening times of today and tomorrow, in order; null if unknown. */
  opening: readonly Opening[] | null;
  hazards: readonly KnownHazard[];
  /** State of the user's own dogs. */
  own?: Readonly<Record<'puppy' | 'inHeat', boolean>>;
}

type Decision =
  /** Nothing counts against going; if `hour` is set, only until then. */
  | { type: 'goodNow'; hour: number | null }
  /** It is a good time to go, with only a few dogs until `hour`. */
  | { type: 'quietWindow'; hour: number }
  /** There is one problem, which is the main reason. */
  | { type: 'withCare'; hour: null }
  /** A later hour is better; values from 24 are tomorrow. */
  | { type: 'betterLater'; hour: number }
  /** Now is a bad time, and no better hour is known. */
  | { type: 'notNow'; hour: null }
  /** Closed until the hour (from 24 on, tomorrow); null if it stays closed today. */
  | { type: 'closed'; hour: number | null };

export type Verdict = Decision & {
  /** Reasons against going come first; the list starts with the strongest. */
  reasons: Reason[];
  /** The decisive reason; null if only the opening hours were decisive. */
  main: Reason | null;
};

export const isGood = (verdict: Verdict | null): boolean =>
  verdict?.type === 'goodNow' || verdict?.type === 'quietWindow';

/** Total weight from which an hour is bad; a weight of 1 suggests caution. */
const BAD = 2;
/** From this weight on, a reason rules out going: neither good weather nor another hour of today can make up for it. */
const FORBIDDING = 3;

const CONDITION_WEIGHT: Readonly<Record<ParkCondition | Closure, number>> = {
  closed: FORBIDDING,
  sprayed: FORBIDDING,
  gateClosed: FORBIDDING,
  underConstruction: FORBIDDING,
  muddy: 1,
  brokenFountain: 1,
};

/** The weight of a hazard that a second user has confirmed; 1 if it is missing. An unconfirmed hazard only leads to a warning. */
const HAZARD_WEIGHT: Readonly<Partial<Record<ParkHazard, number>>> = {
  poison: FORBIDDING,
  looseDog: FORBIDDING,
  caterpillars: FORBIDDING,
  glass: FORBIDDING,
  parvovirus: BAD,
};
const hazardWeight = ({ type, verified }: KnownHazard) => (verified && HAZARD_WEIGHT[type]) || 1;

/** Returns whether a hazard is confirmed and rules out going. */
export const isForbidding = (hazard: KnownHazard): boolean => hazardWeight(hazard) >= FORBIDDING;

/** Hours of the night never count as good. */
const NIGHT = { from: 23, until: 5 };
const HOURS_TO_SUGGEST = { first: 6, last: 21 };
/** Hours of tomorrow after noon are never suggested. */
const TOMORROW = { first: 24 + HOURS_TO_SUGGEST.first, last: 24 + 12 };
/** The end of a good time is mentioned only this far ahead. */
const HOURS_AHEAD = 3;
/** Minimum useful length of a visit, in hours. */
const MIN_VISIT = 0.5;
/** A better hour is suggested instead of the first acceptable one if it is at most this many hours later. */
const WORTH_WAITING = 2;
/** A park is quiet with up to this many dogs now, if it usually has at most QUIET_USUAL. */
const QUIET_DOGS = 2;
const QUIET_USUAL = QUIET_DOGS + 1;
/** Number of dogs from which a park is crowded, by its size. */
const CROWD: Readonly<Record<string, number>> = { small: 6, medium: 10, large: 16 };
const CROWD_ANYWHERE = 10;
/** Number of samples on weekdays or on weekends that are required to estimate the usual number of dogs. */
const MIN_SAMPLES = 8;

/** Usual number of dogs at an hour on weekdays or weekends; null if there are too few samples. */
export function usualAt(busyHours: readonly BusyHour[], type: DayType, hour: number) {
  const rows = busyHours.filter((row) => row.day_type === type);
  if (rows.reduce((sum, row) => sum + row.samples, 0) < MIN_SAMPLES) return null;
  return rows.find((row) => row.hour === hour)?.dogs ?? 0;
}

/** Number of dogs from which a park is crowded. @param size 'small', 'medium' or 'large' */
export const crowdOf = (size: string | null): number => CROWD[size ?? ''] ?? CROWD_ANYWHERE;

const sumOf = (reasons: readonly Weighed[]) => reasons.reduce((sum, { weight }) => sum + weight, 0);

/** The values that the rules use. */
type Situation = ReturnType<typeof situationOf>;

function situationOf(input: VerdictInput) {
  const { hour, live, opening, shade } = input;
  const crowd = crowdOf(input.size);
  const now = hour + (input.minute ?? 0) / 60;

  const weatherAt = (at: number) => input.weather.find((entry) => entry.hour === at);
  const weatherNow = weatherAt(hour);
  const weatherKnown = weatherNow !== undefined;
  const weigh = (at: number): Weighed[] => {
    const weather = weatherAt(at);
    return weather ? weighWeather(weather, shade, input.sun) : [];
  };

  const usualDogs = (at: number) =>
    usualAt(input.busyHours, at < 24 ? input.dayType : input.tomorrowType, at % 24);

  const openingAt = (moment: number) =>
    opening?.find(({ opensAt, closesAt }) => opensAt <= moment && moment < closesAt);
  const closesAt = openingAt(now)?.closesAt ?? null;
  const staysOpen = (at: number) =>
    opening === null || (openingAt(at)?.closesAt ?? 0) >= at + MIN_VISIT;

  const later = Array.from(
    { length: Math.max(0, HOURS_TO_SUGGEST.last - hour) },
    (_, offset) => hour + 1 + offset,
  ).filter((at) => at >= HOURS_TO_SUGGEST.first && staysOpen(at));
  const tomorrow = input.weather
    .map((entry) => entry.hour)
    .filter((at) => at >= TOMORROW.first && at <= TOMORROW.last && staysOpen(at));

  const asphalt = asphaltReason(
    weatherNow,
    input.weather.filter((entry) => entry.hour > hour),
  );
  const place = weighPlace(input);
  const end = endOfGood(hour, closesAt, weigh);
  const all = [
    ...place,
    ...weigh(hour),
    ...(asphalt ? [weighed(0, asphalt)] : []),
    ...(live ? weighCompany(live.dogs, usualDogs(hour), crowd) : []),
    ...(end !== null && end.hour < now + MIN_VISIT ? [weighed(BAD, end)] : []),
  ].sort((a, b) => b.weight - a.weight || Number(a.reason.good) - Number(b.reason.good));
  const worst = all.find(({ weight }) => weight > 0);
  const total = sumOf(all);

  const weightAt = (at: number) => {
    // An hour can be better only if the forecast covers it, unless the forecast for the current hour is also missing.
    if (weatherKnown && !weatherAt(at)) return Infinity;
    const crowded = (usualDogs(at) ?? 0) >= crowd ? 1 : 0;
    const then = sumOf(place) + sumOf(weigh(at)) + crowded;
    return then < total ? then : Infinity;
  };

  const reasons = all.map(({ reason }) => reason);
  if (!weatherKnown) reasons.push({ type: 'noForecast', good: false });
  return {
    live,
    reasons,
    main: worst?.reason ?? null,
    /** The strongest reason against going that is temporary. Mud, for example, is not temporary. */
    passing: all.find((each) => each.weight > 0 && !place.includes(each))?.reason ?? null,
    asphalt,
    weatherKnown,
    isForbidden: place.some(({ weight }) => weight >= FORBIDDING),
    isOpen: opening === null || closesAt !== null,
    opensAt: opening?.find(({ opensAt }) => opensAt > now)?.opensAt ?? null,
    isNight: hour >= NIGHT.from || hour < NIGHT.until,
    isBad: total >= BAD,
    betterAt: betterHour(later, weightAt) ?? betterHour(tomorrow, weightAt),
    isCrowded: worst?.reason.type === 'crowd',
    thinnerAt: later.find(
      (at) =>
        at <= hour + HOURS_AHEAD &&
        (usualDogs(at) ?? crowd) <= crowd / 2 &&
        sumOf(weigh(at)) === 0 &&
        (!weatherKnown || weatherAt(at) !== undefined),
    ),
    end,
    isQuiet:
      live !== null &&
      (live.dogs ?? usualDogs(hour) ?? Infinity) <= QUIET_DOGS &&
      (usualDogs(hour) ?? Infinity) <= QUIET_USUAL,
    /** The hour at which it usually gets busier; undefined if it stays quiet. */
    busyAt: later.find((at) => (usualDogs(at) ?? 0) > QUIET_USUAL),
  };
}

/** A verdict, with its own reasons if they differ from those of the situation. */
type Outcome = Decision & Partial<Pick<Verdict, 'reasons' | 'main'>>;

const NOTHING = null;

/** The first rule that applies decides; a rule that does not apply returns false. */
const RULES: readonly ((s: Situation) => Outcome | typeof NOTHING | false)[] = [
  (s) => s.isForbidden && { type: 'notNow', hour: null },
  (s) => !s.isOpen && { type: 'closed', hour: s.opensAt, main: null },
  (s) => s.isNight && NOTHING,
  (s) =>
    s.isBad &&
    s.betterAt !== undefined && {
      type: 'betterLater',
      hour: s.betterAt,
      main: s.passing ?? s.main,
    },
  (s) => s.isBad && { type: 'notNow', hour: null },
  (s) => s.isCrowded && s.thinnerAt !== undefined && { type: 'betterLater', hour: s.thinnerAt },
  (s) => s.main !== null && { type: 'withCare', hour: null },
  // From here on, nothing that is known counts against going. The remaining rules call it good only if enough is known.
  (s) => s.live === null && NOTHING,
  (s) => s.end !== null && !s.weatherKnown && NOTHING,
  (s) =>
    s.end !== null && {
      type: 'goodNow',
      hour: s.end.hour,
      main: s.end,
      reasons: [s.end, ...s.reasons],
    },
  (s) =>
    s.isQuiet &&
    s.busyAt !== undefined && {
      type: 'quietWindow',
      hour: s.busyAt,
      main: s.asphalt ?? bestOf(s.reasons, ['usuallyQuiet', 'mild']),
    },
  (s) => !s.weatherKnown && NOTHING,
  (s) => ({ type: 'goodNow', hour: null, main: s.asphalt ?? bestOf(s.reasons) }),
];

/**
 * Decides whether to go now, later or not at all; null if too little is known. Unknown facts are not guessed: without a forecast,
 * nothing is called good, and outdated reports do not advise against going. No hour of the night is called good.
 */
export function verdictOf(input: VerdictInput): Verdict | null {
  const situation = situationOf(input);
  const { reasons, main } = situation;
  for (const rule of RULES) {
    const outcome = rule(situation);
    if (outcome !== false) return outcome && { reasons, main, ...outcome };
  }
  return null;
}

/** Weighs reasons of the place itself, regardless of the weather. */
function weighPlace({ live, hazards, own }: VerdictInput): Weighed[] {
  return [
    ...(own?.puppy ? [weighed(FORBIDDING, { type: 'puppy', good: false })] : []),
    ...(own?.inHeat
      ? [weighed(live?.dogs === 0 ? 1 : FORBIDDING, { type: 'inHeat', good: false })]
      : []),
    ...hazards.map((hazard) => weighed(hazardWeight(hazard), { type: hazard.type, good: false })),
    ...(live?.conditions ?? [])
      .filter(isCondition)
      .map((type) => weighed(CONDITION_WEIGHT[type], { type, good: false })),
  ];
}

function weighCompany(dogs: number | null, usual: number | null, crowd: number): Weighed[] {
  const found: Weighed[] = [];
  if (dogs !== null)
    found.push(
      dogs >= crowd
        ? weighed(1, { type: 'crowd', dogs, good: false })
        : weighed(0, { type: 'dogs', dogs, good: true }),
    );
  if (usual !== null && usual >= crowd)
    found.push(weighed(dogs === null ? 1 : 0, { type: 'usuallyBusy', good: false }));
  else if (usual !== null && usual <= QUIET_DOGS)
    found.push(weighed(0, { type: 'usuallyQuiet', good: true }));
  return found;
}

/** Returns the first hour that is not bad, or a better one soon after it. */
function betterHour(
  later: readonly number[],
  weightAt: (hour: number) => number,
): number | undefined {
  const first = later.find((hour) => weightAt(hour) < BAD);
  if (first === undefined) return undefined;
  return (
    later.find(
      (hour) => hour > first && hour <= first + WORTH_WAITING && weightAt(hour) < weightAt(first),
    ) ?? first
  );
}

/** Returns the best reason to go. Dry weather is common in most months, so it comes last; dogs are shown separately. */
export function bestOf(
  reasons: readonly Reason[],
  kinds: readonly Reason['type'][] = ['shaded', 'mild', 'usuallyQuiet', 'dry'],
): Reason | null {
  return kinds.flatMap((type) => reasons.filter((reason) => reason.type === type))[0] ?? null;
}

/** Returns when a good time ends within the next hours, because the park closes or the weather turns bad. */
function endOfGood(
  hour: number,
  closesAt: number | null,
  weigh: (hour: number) => Weighed[],
): Extract<Reason, { hour: number }> | null {
  for (let next = hour + 1; next <= hour + HOURS_AHEAD; next++) {
    if (closesAt !== null && next >= closesAt)
      return { type: 'closesAt', hour: closesAt, good: false };
    const then = weigh(next);
    if (sumOf(then) < BAD) continue;
    const [worst] = then.sort((a, b) => b.weight - a.weight);
    const type =
      worst?.reason.type === 'thunder'
        ? 'thunderFrom'
        : worst?.reason.type === 'rain'
          ? 'rainFrom'
          : 'heatFrom';
    return { type, hour: next, good: false };
  }
  return null;
}
