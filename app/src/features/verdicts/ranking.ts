// Ranks parks for an hour, and finds the highlight of each. Pure; the scores are minutes of walking.
import type { DogNeeds } from '#/entities/dogs/dog-traits.ts';
import type { KnownHazard } from '../../../../shared/verdict/hazards.ts';
import type { ParkFacts } from '../../../../shared/park-facts.ts';
import type { Reason } from '../../../../shared/verdict/reason.ts';
import { isShaded, isSunUp, type Sun } from '../../../../shared/verdict/shade.ts';
import { travelMinutes } from '#/core/travel-time.ts';
import { crowdOf, isForbidding, type Verdict } from '../../../../shared/verdict/verdict.ts';

export interface Candidate {
  id: number;
  /** The verdict for the hour; null if too little is known. */
  verdict: Verdict | null;
  /** Metres from the user or the map's centre; null if unknown. */
  distance: number | null;
  /** Number of dogs at that hour; null if unknown. */
  dogs: number | null;
  /** Usual number of dogs at that hour; null if unknown. */
  usual: number | null;
  friends: number;
  /** Hour of the user's next meeting at the park; null if there is none. */
  meeting: number | null;
  hazards: readonly KnownHazard[];
  favourite: boolean;
  rank: number | null;
  facts: Pick<ParkFacts, 'shade' | 'facts' | 'size_label'>;
}

export interface RankingContext {
  hour: number;
  /** True if it is too dark to see a dog without a lamp. */
  dark: boolean;
  sun: Sun;
  needs: DogNeeds;
  /** ID of the park nearest to the known location, even if it is not a candidate; null without a location. */
  nearest: number | null;
}

/** A park's highlight on its card. `hour` is when it ends, or when the meeting starts. */
export type Highlight =
  | {
      type:
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
  | { type: 'shadeUntil' | 'meeting'; hour: number };

export interface Ranked extends Pick<Candidate, 'id' | 'verdict'> {
  /** Null if the other parks have the same highlight. */
  highlight: Highlight | null;
}

/** Score of each verdict, in minutes of walking. */
const VERDICT: Readonly<Record<Verdict['type'], number>> = {
  goodNow: 6,
  quietWindow: 6,
  withCare: 0,
  betterLater: -14,
  notNow: -25,
  closed: -60,
};

/** Scores of all other factors, in minutes of walking. */
const WEIGHT = {
  confirmedHazard: -60,
  /** Score of a hazard that is unconfirmed or minor. */
  possibleHazard: -8,
  friend: 20,
  anotherFriend: 3,
  meeting: 12,
  favourite: 5,
  star: 3,
  calmForShyDog: 5,
  dogForShyDog: -2.5,
  dog: 1.5,
  crowd: -3,
  shade: 6,
  shadeForHeat: 12,
  lamps: 8,
  smallDogArea: 8,
  fence: 2,
  fenceForPuppy: 9,
  noFenceForPuppy: -15,
  water: 4,
  waterForHeat: 6,
  onlyOpen: 12,
};
const MEETING_SOON_HOURS = 2;
const USUAL_STARS = 4;
/** More dogs than this do not change the score. */
const MAX_DOGS = 5;
const MAX_DOGS_FOR_SHY_DOG = 8;
/** A park with at least COMPANY_DOGS dogs offers company. With at most CALM_DOGS, it is calm. */
const COMPANY_DOGS = 1.5;
const CALM_DOGS = 1;
const MAX_OTHER_FRIENDS = 2;
/** Minimum advantage over the other parks for a highlight. */
const MIN_HIGHLIGHT = 1.5;

/** A reason for or against a park, with the highlight that shows it. */
interface Point {
  minutes: number;
  highlight?: Highlight;
}

function companyOf(park: Candidate, { needs }: RankingContext): Point {
  const dogs = park.dogs ?? park.usual;
  if (dogs === null) return { minutes: 0 };
  const isUsual = park.dogs === null;
  if (needs.shy)
    return dogs <= CALM_DOGS
      ? { minutes: WEIGHT.calmForShyDog, highlight: { type: isUsual ? 'usuallyCalm' : 'calm' } }
      : { minutes: WEIGHT.dogForShyDog * Math.min(dogs, MAX_DOGS_FOR_SHY_DOG) };
  const crowd = crowdOf(park.facts.size_label);
  if (dogs >= crowd) return { minutes: WEIGHT.crowd };
  if (dogs < COMPANY_DOGS) return { minutes: 0 };
  const type = isUsual ? 'usualCompany' : 'company';
  return { minutes: WEIGHT.dog * Math.min(dogs, MAX_DOGS), highlight: { type } };
}

function shadeOf(
  { verdict, facts: { shade } }: Candidate,
  { hour, needs, sun }: RankingContext,
): Point {
  const kinds = verdict?.reasons.map(({ type }) => type) ?? [];
  const minutes = needs.heat ? WEIGHT.shadeForHeat : WEIGHT.shade;
  if (kinds.includes('sunny')) return { minutes: -minutes };
  if (!kinds.includes('shaded') || shade === null) return { minutes: 0 };
  let end = hour + 1;
  while (isSunUp(end, sun) && isShaded(end, shade, sun)) end += 1;
  return {
    minutes,
    highlight: isSunUp(end, sun) ? { type: 'shadeUntil', hour: end } : { type: 'shade' },
  };
}

function pointsOf(park: Candidate, context: RankingContext): Point[] {
  const { verdict, facts, hazards } = park;
  const { hour, dark, needs } = context;
  const fact = facts.facts;
  const points: Point[] = [
    { minutes: verdict ? VERDICT[verdict.type] : 0 },
    companyOf(park, context),
    shadeOf(park, context),
    ...hazards.map((hazard) => ({
      minutes: isForbidding(hazard) ? WEIGHT.confirmedHazard : WEIGHT.possibleHazard,
    })),
  ];
  const add = (when: boolean, minutes: number, highlight?: Highlight) => {
    if (when) points.push({ minutes, ...(highlight && { highlight }) });
  };
  add(park.distance !== null, -travelMinutes(park.distance ?? 0));
  const others = Math.min(MAX_OTHER_FRIENDS, park.friends - 1);
  add(park.friends > 0, WEIGHT.friend + WEIGHT.anotherFriend * others, { type: 'friends' });
  const meeting = park.meeting ?? Infinity;
  add(meeting <= hour + MEETING_SOON_HOURS, WEIGHT.meeting, { type: 'meeting', hour: meeting });
  add(park.favourite, WEIGHT.favourite, { type: 'favourite' });
  add(park.rank !== null, ((park.rank ?? 0) - USUAL_STARS) * WEIGHT.star, { type: 'rated' });
  add(dark && fact.lit === 'yes', WEIGHT.lamps, { type: 'lit' });
  add(dark && fact.lit === 'no', -WEIGHT.lamps);
  add(needs.small && fact.small_dog === 'separate', WEIGHT.smallDogArea, { type: 'smallDogs' });
  add(fact.fenced === 'yes', needs.puppy ? WEIGHT.fenceForPuppy : WEIGHT.fence, { type: 'fenced' });
  add(fact.fenced === 'no', needs.puppy ? WEIGHT.noFenceForPuppy : -WEIGHT.fence);
  const isHot = verdict?.reasons.some(({ type }) => type === 'heat') ?? false;
  add(isHot && fact.drinking_water === 'yes', needs.heat ? WEIGHT.waterForHeat : WEIGHT.water, {
    type: 'water',
  });
  return points;
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Returns the parks, best first. Parks with equal scores keep their order. */
export function rankParks(parks: readonly Candidate[], context: RankingContext): Ranked[] {
  const rows = parks.map((park) => {
    const points = pointsOf(park, context);
    return { park, points, sum: points.reduce((sum, { minutes }) => sum + minutes, 0) };
  });
  const isClosed = ({ verdict }: Candidate) => verdict?.type === 'closed';
  const worthOf = (points: readonly Point[], type: Highlight['type']) =>
    points.find(({ highlight }) => highlight && family(highlight.type) === family(type))?.minutes ??
    0;

  const highlightOf = ({ park, points }: (typeof rows)[number]): Highlight | null => {
    const others = rows.filter((row) => row.park !== park);
    const gains = points.flatMap(({ minutes, highlight }) =>
      highlight && minutes > 0
        ? [
            {
              highlight,
              gain: minutes - mean(others.map((row) => worthOf(row.points, highlight.type))),
            },
          ]
        : [],
    );
    const openOnly = others.length > 0 && others.every((row) => isClosed(row.park));
    if (openOnly && !isClosed(park))
      gains.push({ highlight: { type: 'openNow' }, gain: WEIGHT.onlyOpen });
    const [best] = gains.sort((a, b) => b.gain - a.gain);
    if (best && best.gain >= MIN_HIGHLIGHT) return best.highlight;
    return others.length > 0 && park.id === context.nearest ? { type: 'nearest' } : null;
  };
  return rows
    .sort((a, b) => b.sum - a.sum)
    .map((row) => ({ id: row.park.id, verdict: row.park.verdict, highlight: highlightOf(row) }));
}

/** Highlights that count as the same when parks are compared. */
const SAME: Partial<Record<Highlight['type'], Highlight['type']>> = {
  shadeUntil: 'shade',
  usualCompany: 'company',
  usuallyCalm: 'calm',
};
const family = (type: Highlight['type']) => SAME[type] ?? type;

/** Weather reasons, which nearby parks have in common, from worst to best. */
const OF_THE_WEATHER = ['thunder', 'rain', 'heat', 'cold', 'mild', 'dry'] as const;

export interface Shared {
  verdict: Verdict | null;
  reason: Reason | null;
}

/**
 * Returns true if the line above the cards already shows a park's verdict. The line contains the verdict of all parks, or the
 * weather reason that is this park's main problem. If the park also lacks shade, it returns false.
 */
export const isCovered = (of: Verdict | null | undefined, { verdict, reason }: Shared): boolean =>
  verdict !== null ||
  (of?.type === 'withCare' &&
    of.main?.type === (reason?.type ?? null) &&
    of.reasons.every(({ type }) => type !== 'sunny'));

/**
 * Returns what all parks have in common, so that cards need not repeat it. @returns the verdict if all parks have the same one for
 * the same hour; otherwise the worst weather reason that they share
 */
export function sharedOf(verdicts: readonly (Verdict | null)[]): Shared {
  const [first] = verdicts;
  if (!first || verdicts.length < 2) return { verdict: null, reason: null };
  const isSame = verdicts.every(
    (each) =>
      each?.type === first.type &&
      each.hour === first.hour &&
      (each.type !== 'withCare' || each.main?.type === first.main?.type),
  );
  if (isSame) return { verdict: first, reason: null };
  const has = (type: Reason['type']) => (each: Verdict | null) =>
    each?.reasons.find((reason) => reason.type === type);
  const type = OF_THE_WEATHER.find((type) => verdicts.every(has(type)));
  return { verdict: null, reason: (type && has(type)(first)) ?? null };
}
