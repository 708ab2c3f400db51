// 'Go now?': one honest answer about a park at this hour, a pure rule for every place that shows it. It says what it rests on,
// and nothing at all where too little is known.
import type { DayKind } from '#/core/park-time.ts';
import { type Condition, isCondition } from '#/data/conditions.ts';
import type { Hazard, KnownHazard } from '#/data/hazards.ts';
import { type GoNowReason, type Weighed, weighed } from '#/features/parks/go-now-reason.ts';
import { asphaltReason, type HourWeather, weighWeather } from '#/features/parks/weigh-weather.ts';

export interface BusyHour {
  day_kind: DayKind;
  hour: number;
  /** Dogs there on average at that hour. */
  dogs: number;
  /** Days with dogs at that hour; an hour without any is an empty one once the park has a history. */
  samples: number;
}

/** Hours of the park's clock, 14.5 for half past two; from 24 on tomorrow. */
export interface Opening {
  opensAt: number;
  closesAt: number;
}

export interface GoNowInput {
  hour: number;
  /** Minutes past the hour; opening hours are to the minute. */
  minute?: number;
  dayKind: DayKind;
  tomorrowKind: DayKind;
  /** Dogs there and what was reported, at this moment; null where only an old answer or none is known. */
  live: { dogs: number; conditions: readonly string[] } | null;
  /** 'small', 'medium' or 'large'; null where nobody said. */
  size: string | null;
  /** Shaded hours a day, or null where nobody said. */
  shade: number | null;
  /** Hours from this one on as far as known; empty without a forecast. */
  weather: readonly HourWeather[];
  busyHours: readonly BusyHour[];
  /** When it is open today and tomorrow, in order; null where nobody knows. */
  opening: readonly Opening[] | null;
  hazards: readonly KnownHazard[];
}

type Verdict =
  /** Nothing speaks against it; with an hour, until then. */
  | { verdict: 'goodNow'; hour: number | null }
  /** Good, and few dogs until the hour. */
  | { verdict: 'quietWindow'; hour: number }
  /** One thing to think of: the main reason. */
  | { verdict: 'withCare'; hour: null }
  /** From 24 on tomorrow. */
  | { verdict: 'betterLater'; hour: number }
  /** And nobody knows when. */
  | { verdict: 'notNow'; hour: null }
  /** Until the hour, from 24 on of tomorrow, or for today. */
  | { verdict: 'closed'; hour: number | null };

export type GoNowVerdict = Verdict['verdict'];

export type GoNow = Verdict & {
  /** What speaks against going first, the strongest first of all. */
  reasons: GoNowReason[];
  /** The one that decided; null where nothing but the opening hours did. */
  main: GoNowReason | null;
};

/** From this much against an hour on, it is no good hour; 1 is something to think of. */
const BAD = 2;
/** With this much, no weather and no hour of today makes up for it. */
const FORBIDDING = 3;

const CONDITION_WEIGHT: Readonly<Record<Condition, number>> = {
  gateClosed: FORBIDDING,
  underConstruction: FORBIDDING,
  muddy: 1,
  brokenFountain: 1,
};

/** Of one that somebody else confirmed there; the word of one alone is something to think of. */
const HAZARD_WEIGHT: Readonly<Record<Hazard, number>> = {
  poison: FORBIDDING,
  looseDog: FORBIDDING,
  caterpillars: FORBIDDING,
  glass: FORBIDDING,
  brokenFence: 1,
  awns: 1,
  noWater: 1,
};

/** Nobody is sent to a park in the dead of night, and no hour of it is called good. */
const NIGHT = { from: 23, until: 5 };
const HOURS_TO_SUGGEST = { first: 6, last: 21 };
/** Past tomorrow's noon nobody plans today. */
const TOMORROW = { first: 24 + HOURS_TO_SUGGEST.first, last: 24 + 12 };
/** How far ahead the end of a good time is worth a word. */
const HOURS_AHEAD = 3;
/** Hours that a visit is worth the way. */
const LEAST_VISIT = 0.5;
/** Hours that people rather wait when it gets better still. */
const WORTH_WAITING = 2;
const QUIET_DOGS = 2;
/** From this many dogs on it is crowded, by the park's size. */
const CROWD: Readonly<Record<string, number>> = { small: 6, medium: 10, large: 16 };
const CROWD_ANYWHERE = 10;
/** Visits that a history of such days needs before it says what is usual. */
const LEAST_SAMPLES = 8;

const isNight = (hour: number) => hour >= NIGHT.from || hour < NIGHT.until;

const sumOf = (reasons: readonly Weighed[]) => reasons.reduce((sum, { weight }) => sum + weight, 0);

/** What the rule asks about other hours than this one. */
function hoursOf(input: GoNowInput) {
  const crowd = CROWD[input.size ?? ''] ?? CROWD_ANYWHERE;
  const weatherAt = (hour: number) => input.weather.find((entry) => entry.hour === hour);
  const usualDogs = (hour: number): number | null => {
    const kind = hour < 24 ? input.dayKind : input.tomorrowKind;
    const rows = input.busyHours.filter((row) => row.day_kind === kind);
    if (rows.reduce((sum, row) => sum + row.samples, 0) < LEAST_SAMPLES) return null;
    return rows.find((row) => row.hour === hour % 24)?.dogs ?? 0;
  };
  const now = input.hour + (input.minute ?? 0) / 60;
  const openingAt = (moment: number) =>
    input.opening?.find(({ opensAt, closesAt }) => opensAt <= moment && moment < closesAt);
  const isOpen = input.opening === null || openingAt(now) !== undefined;
  /** Nobody is sent for less than a walk around. */
  const staysOpen = (hour: number) =>
    input.opening === null || (openingAt(hour)?.closesAt ?? 0) >= hour + LEAST_VISIT;
  const weigh = (hour: number): Weighed[] => {
    const weather = weatherAt(hour);
    return weather ? weighWeather(weather, input.shade) : [];
  };
  const later = Array.from(
    { length: Math.max(0, HOURS_TO_SUGGEST.last - input.hour) },
    (_, offset) => input.hour + 1 + offset,
  ).filter((hour) => hour >= HOURS_TO_SUGGEST.first && staysOpen(hour));
  const tomorrow = input.weather
    .map(({ hour }) => hour)
    .filter((hour) => hour >= TOMORROW.first && hour <= TOMORROW.last && staysOpen(hour));
  const closesAt = openingAt(now)?.closesAt ?? null;
  const closing =
    closesAt !== null && closesAt < now + LEAST_VISIT
      ? [weighed(BAD, { kind: 'closesAt', hour: closesAt, good: false })]
      : [];
  return {
    crowd,
    isOpen,
    closesAt,
    closing,
    opensAt: input.opening?.find(({ opensAt }) => opensAt > now)?.opensAt ?? null,
    later,
    tomorrow,
    usualDogs,
    weatherAt,
    weigh,
  };
}

/** What is the matter with the place itself, whatever the weather. */
function weighPlace({ live, hazards }: GoNowInput): Weighed[] {
  return [
    ...hazards.map(({ kind, verified }) =>
      weighed(verified ? HAZARD_WEIGHT[kind] : 1, { kind, good: false }),
    ),
    ...(live?.conditions ?? [])
      .filter(isCondition)
      .map((kind) => weighed(CONDITION_WEIGHT[kind], { kind, good: false })),
  ];
}

function weighCompany(dogs: number, usual: number | null, crowd: number): Weighed[] {
  const found: Weighed[] = [
    dogs >= crowd
      ? weighed(1, { kind: 'crowd', dogs, good: false })
      : weighed(0, { kind: 'dogs', dogs, good: true }),
  ];
  if (usual !== null && usual >= crowd)
    found.push(weighed(0, { kind: 'usuallyBusy', good: false }));
  else if (usual !== null && usual <= QUIET_DOGS)
    found.push(weighed(0, { kind: 'usuallyQuiet', good: true }));
  return found;
}

/**
 * Whether to go now, later, or not; null where too little is known to say anything. Unknown facts are not guessed: without a
 * forecast nothing is called good, an old answer says nothing of the gate, and the night is nobody's good time.
 */
export function goNow(input: GoNowInput): GoNow | null {
  const hours = hoursOf(input);
  const { crowd, isOpen, opensAt, closesAt, closing, later, usualDogs, weatherAt, weigh } = hours;
  const { live } = input;
  const weatherKnown = weatherAt(input.hour) !== undefined;
  const usual = usualDogs(input.hour);
  const place = weighPlace(input);
  const weather = weigh(input.hour);
  const company = live ? weighCompany(live.dogs, usual, crowd) : [];
  const asphalt = asphaltReason(
    weatherAt(input.hour),
    input.weather.filter(({ hour }) => hour > input.hour),
  );
  const way = asphalt ? [weighed(0, asphalt)] : [];
  const all = [...place, ...weather, ...way, ...company, ...closing].sort(
    (a, b) => b.weight - a.weight || Number(a.reason.good) - Number(b.reason.good),
  );
  const reasons = all.map(({ reason }) => reason);
  if (!weatherKnown) reasons.push({ kind: 'noForecast', good: false });
  const worst = all.find(({ weight }) => weight > 0);
  const main = (worst && reasons[0]) ?? null;
  const say = (verdict: Verdict, why = main): GoNow => ({ ...verdict, reasons, main: why });

  if (sumOf(place) >= FORBIDDING && place.some(({ weight }) => weight >= FORBIDDING))
    return say({ verdict: 'notNow', hour: null });
  if (!isOpen) return say({ verdict: 'closed', hour: opensAt }, null);
  if (isNight(input.hour)) return null;

  const total = sumOf(all);
  // Mud stays: what is better later is what passes.
  const passing = all.find((each) => each.weight > 0 && !place.includes(each));
  if (total >= BAD) {
    const weightAt = (hour: number) => {
      // Only hours that we know as much about as about this one may be called better.
      if (weatherKnown && !weatherAt(hour)) return Infinity;
      const crowded = (usualDogs(hour) ?? 0) >= crowd ? 1 : 0;
      const then = sumOf(place) + sumOf(weigh(hour)) + crowded;
      return then < total ? then : Infinity;
    };
    const better = betterHour(later, weightAt) ?? betterHour(hours.tomorrow, weightAt);
    return better === undefined
      ? say({ verdict: 'notNow', hour: null })
      : say({ verdict: 'betterLater', hour: better }, passing?.reason ?? main);
  }
  if (worst?.reason.kind === 'crowd') {
    const thinner = later.find(
      (hour) =>
        hour <= input.hour + HOURS_AHEAD &&
        (usualDogs(hour) ?? crowd) <= crowd / 2 &&
        sumOf(weigh(hour)) === 0 &&
        (!weatherKnown || weatherAt(hour) !== undefined),
    );
    if (thinner !== undefined) return say({ verdict: 'betterLater', hour: thinner });
  }
  if (worst) return say({ verdict: 'withCare', hour: null });
  // From here on nothing is known against it: whether that is because nobody knows decides whether to say so.
  if (!live) return null;

  const end = endOfGood(input.hour, closesAt, weigh);
  if (end) {
    reasons.unshift(end);
    return weatherKnown ? say({ verdict: 'goodNow', hour: end.hour }, end) : null;
  }
  if (live.dogs <= QUIET_DOGS && usual !== null && usual <= QUIET_DOGS + 1) {
    // A window has an end: it is one only when it usually fills up later.
    const busyAgain = later.find((hour) => (usualDogs(hour) ?? 0) > QUIET_DOGS + 1);
    if (busyAgain !== undefined)
      return say(
        { verdict: 'quietWindow', hour: busyAgain },
        asphalt ?? bestOf(reasons, ['usuallyQuiet', 'mild']),
      );
  }
  return weatherKnown ? say({ verdict: 'goodNow', hour: null }, asphalt ?? bestOf(reasons)) : null;
}

/** The first hour that is not bad, or one with less against it soon after: nobody comes at five for what is better at six. */
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

/** What speaks most for going. That no rain is coming says little in most months here; dogs are counted beside it. */
export function bestOf(
  reasons: readonly GoNowReason[],
  kinds: readonly GoNowReason['kind'][] = ['shaded', 'mild', 'usuallyQuiet', 'dry'],
): GoNowReason | null {
  return kinds.flatMap((kind) => reasons.filter((reason) => reason.kind === kind))[0] ?? null;
}

/** The end of a good time within the next hours: the gate closes, or the weather turns bad. */
function endOfGood(
  hour: number,
  closesAt: number | null,
  weigh: (hour: number) => Weighed[],
): Extract<GoNowReason, { hour: number }> | null {
  for (let next = hour + 1; next <= hour + HOURS_AHEAD; next++) {
    if (closesAt !== null && next >= closesAt)
      return { kind: 'closesAt', hour: closesAt, good: false };
    const then = weigh(next);
    if (sumOf(then) < BAD) continue;
    const [worst] = then.sort((a, b) => b.weight - a.weight);
    const kind =
      worst?.reason.kind === 'thunder'
        ? 'thunderFrom'
        : worst?.reason.kind === 'rain'
          ? 'rainFrom'
          : 'heatFrom';
    return { kind, hour: next, good: false };
  }
  return null;
}
