// Which of some parks is the best to go to at an hour, and the reason that sets each apart: a pure rule that counts in minutes of walking.
import type { DogNeeds } from '#/entities/dogs/dog-traits.ts';
import type { KnownHazard } from '#/entities/parks/hazards.ts';
import type { ParkFacts } from '#/entities/parks/park-facts.ts';
import type { Reason } from '#/features/verdicts/reason.ts';
import { isShaded, isSunUp, type Sun } from '#/features/verdicts/shade.ts';
import { crowdOf, isForbidding, type Verdict } from '#/features/verdicts/verdict.ts';

export interface Candidate {
  id: number;
  /** Of the hour; null where too little is known for one. */
  verdict: Verdict | null;
  /** Metres from where the person is or looks; null where unknown. */
  distance: number | null;
  /** Dogs there at the hour; null where unknown. */
  dogs: number | null;
  /** Dogs that are usually there at that hour; null where unknown. */
  usual: number | null;
  friends: number;
  /** Hour of a meeting there that one goes to, from this hour on; null: none. */
  meeting: number | null;
  hazards: readonly KnownHazard[];
  favourite: boolean;
  rank: number | null;
  facts: Pick<ParkFacts, 'shade' | 'facts' | 'size_label'>;
}

export interface Occasion {
  hour: number;
  /** Too dark to see a dog without a lamp. */
  dark: boolean;
  sun: Sun;
  needs: DogNeeds;
  /** ID of the park nearest to the known location, whether or not it is among the candidates; null without a location. */
  nearest: number | null;
}

/** What a card says of a park in three words; the hour is when it ends, or when people meet. */
export type Apart =
  | {
      kind:
        | 'friends'
        | 'openNow'
        | 'shade'
        | 'lit'
        | 'smallDogs'
        | 'fenced'
        | 'water'
        | 'company'
        | 'calm'
        | 'usualCompany'
        | 'usuallyCalm'
        | 'favourite'
        | 'rated'
        | 'nearest';
    }
  | { kind: 'shadeUntil' | 'meeting'; hour: number };

export interface Ranked extends Pick<Candidate, 'id' | 'verdict'> {
  /** Null where nothing sets it apart from the others. */
  apart: Apart | null;
}

/** Minutes of walking that each verdict is worth. */
const VERDICT: Readonly<Record<Verdict['kind'], number>> = {
  goodNow: 6,
  quietWindow: 6,
  withCare: 0,
  betterLater: -14,
  notNow: -25,
  closed: -60,
};
/** Something is known against going, but not how much. */
const DANGER = -60;
const DOUBT = -8;
const FRIEND = 20;
const MORE_FRIENDS = 3;
const MEETING = 12;
const MEETING_SOON_HOURS = 2;
const FAVOURITE = 5;
const OF_EACH_STAR = 3;
const USUAL_STARS = 4;
/** Less than this sets no park apart. */
const APART = 1.5;

const WALK = { metresAMinute: 62, farMinutes: 15, farMinutesAKilometre: 2 };

/** Minutes on the way, walking or, where that is long, driving. */
const wayOf = (metres: number): number =>
  Math.min(
    metres / WALK.metresAMinute,
    WALK.farMinutes + (metres / 1000) * WALK.farMinutesAKilometre,
  );

/** For and against a park; what has no words is said elsewhere on its card. */
interface Point {
  minutes: number;
  apart?: Apart;
}

function companyOf(park: Candidate, { needs }: Occasion): Point {
  const dogs = park.dogs ?? park.usual;
  if (dogs === null) return { minutes: 0 };
  const isUsual = park.dogs === null;
  if (needs.shy)
    return dogs <= 1
      ? { minutes: 5, apart: { kind: isUsual ? 'usuallyCalm' : 'calm' } }
      : { minutes: -2.5 * Math.min(dogs, 8) };
  const crowd = crowdOf(park.facts.size_label);
  if (dogs >= crowd) return { minutes: -3 };
  return dogs >= 1.5
    ? { minutes: 1.5 * Math.min(dogs, 5), apart: { kind: isUsual ? 'usualCompany' : 'company' } }
    : { minutes: 0 };
}

function shadeOf({ verdict, facts: { shade } }: Candidate, { hour, needs, sun }: Occasion): Point {
  const kinds = verdict?.reasons.map(({ kind }) => kind) ?? [];
  const worth = needs.heat ? 12 : 6;
  if (kinds.includes('sunny')) return { minutes: -worth };
  if (!kinds.includes('shaded') || shade === null) return { minutes: 0 };
  let end = hour + 1;
  while (isSunUp(end, sun) && isShaded(end, shade, sun)) end += 1;
  const apart: Apart = isSunUp(end, sun) ? { kind: 'shadeUntil', hour: end } : { kind: 'shade' };
  return { minutes: worth, apart };
}

function pointsOf(park: Candidate, occasion: Occasion): Point[] {
  const { verdict, facts, hazards } = park;
  const { hour, dark, needs } = occasion;
  const fact = facts.facts;
  const points: Point[] = [
    { minutes: verdict ? VERDICT[verdict.kind] : 0 },
    companyOf(park, occasion),
    shadeOf(park, occasion),
    ...hazards.map((hazard) => ({ minutes: isForbidding(hazard) ? DANGER : DOUBT })),
  ];
  const add = (when: boolean, minutes: number, apart?: Apart) => {
    if (when) points.push({ minutes, ...(apart && { apart }) });
  };
  add(park.distance !== null, -wayOf(park.distance ?? 0));
  add(park.friends > 0, FRIEND + MORE_FRIENDS * Math.min(2, park.friends - 1), { kind: 'friends' });
  const meeting = park.meeting ?? Infinity;
  add(meeting <= hour + MEETING_SOON_HOURS, MEETING, { kind: 'meeting', hour: meeting });
  add(park.favourite, FAVOURITE, { kind: 'favourite' });
  add(park.rank !== null, ((park.rank ?? 0) - USUAL_STARS) * OF_EACH_STAR, { kind: 'rated' });
  add(dark && fact.lit === 'yes', 8, { kind: 'lit' });
  add(dark && fact.lit === 'no', -8);
  add(needs.small && fact.small_dog === 'separate', 8, { kind: 'smallDogs' });
  add(fact.fenced === 'yes', needs.puppy ? 9 : 2, { kind: 'fenced' });
  add(fact.fenced === 'no', needs.puppy ? -15 : -2);
  const isHot = verdict?.reasons.some(({ kind }) => kind === 'heat') ?? false;
  add(isHot && fact.drinking_water === 'yes', needs.heat ? 6 : 4, { kind: 'water' });
  return points;
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The best first; equals stay as they were. */
export function rankParks(parks: readonly Candidate[], occasion: Occasion): Ranked[] {
  const rows = parks.map((park) => {
    const points = pointsOf(park, occasion);
    return { park, points, sum: points.reduce((sum, { minutes }) => sum + minutes, 0) };
  });
  const isClosed = ({ verdict }: Candidate) => verdict?.kind === 'closed';
  const worthOf = (points: readonly Point[], kind: Apart['kind']) =>
    points.find(({ apart }) => apart && family(apart.kind) === family(kind))?.minutes ?? 0;

  const apartOf = ({ park, points }: (typeof rows)[number]): Apart | null => {
    const others = rows.filter((row) => row.park !== park);
    const gains = points.flatMap(({ minutes, apart }) =>
      apart && minutes > 0
        ? [{ apart, gain: minutes - mean(others.map((row) => worthOf(row.points, apart.kind))) }]
        : [],
    );
    const openOnly = others.length > 0 && others.every((row) => isClosed(row.park));
    if (openOnly && !isClosed(park)) gains.push({ apart: { kind: 'openNow' }, gain: 12 });
    const [best] = gains.sort((a, b) => b.gain - a.gain);
    if (best && best.gain >= APART) return best.apart;
    return others.length > 0 && park.id === occasion.nearest ? { kind: 'nearest' } : null;
  };
  return rows
    .sort((a, b) => b.sum - a.sum)
    .map((row) => ({ id: row.park.id, verdict: row.park.verdict, apart: apartOf(row) }));
}

/** Kinds that say the same of different parks. */
const SAME: Partial<Record<Apart['kind'], Apart['kind']>> = {
  shadeUntil: 'shade',
  usualCompany: 'company',
  usuallyCalm: 'calm',
};
const family = (kind: Apart['kind']) => SAME[kind] ?? kind;

/** What is said of the weather, which parks around have in common: the worst first. */
const OF_THE_WEATHER = ['thunder', 'rain', 'heat', 'cold', 'mild', 'dry'] as const;

export interface Shared {
  verdict: Verdict | null;
  reason: Reason | null;
}

/** Whether what is said once of all says a park's verdict as well: care because of the weather that all have, not of sun without shade. */
export const isSaidOnce = (of: Verdict | null | undefined, { verdict, reason }: Shared): boolean =>
  verdict !== null ||
  (of?.kind === 'withCare' &&
    of.main?.kind === (reason?.kind ?? null) &&
    of.reasons.every(({ kind }) => kind !== 'sunny'));

/**
 * What can be said once of all, so that it is not repeated on each card.
 * @returns their verdict where it is the same, down to the hour; else what all say of the weather
 */
export function sharedOf(verdicts: readonly (Verdict | null)[]): Shared {
  const [first] = verdicts;
  if (!first || verdicts.length < 2) return { verdict: null, reason: null };
  const isSame = verdicts.every(
    (each) =>
      each?.kind === first.kind &&
      each.hour === first.hour &&
      (each.kind !== 'withCare' || each.main?.kind === first.main?.kind),
  );
  if (isSame) return { verdict: first, reason: null };
  const has = (kind: Reason['kind']) => (each: Verdict | null) =>
    each?.reasons.find((reason) => reason.kind === kind);
  const kind = OF_THE_WEATHER.find((kind) => verdicts.every(has(kind)));
  return { verdict: null, reason: (kind && has(kind)(first)) ?? null };
}
