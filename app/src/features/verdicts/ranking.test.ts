// Tests which of two parks ranks first in forty situations, and which reasons all parks share.
import { expect, it } from 'vitest';
import type { DogNeeds } from '#/entities/dogs/dog-traits.ts';
import type { StoredFacts } from '../../../../shared/park-facts.ts';
import { type Candidate, type RankingContext, isCovered, rankParks, sharedOf } from './ranking.ts';
import type { Reason } from '../../../../shared/verdict/reason.ts';
import type { Verdict } from '../../../../shared/verdict/verdict.ts';
import type { ParkHazard } from '../../../../shared/enums.ts';

type Park = Partial<Omit<Candidate, 'facts'>> & {
  shade?: number;
  size?: string;
  facts?: StoredFacts;
};

const verdict = (type: Verdict['type'], ...kinds: string[]): Verdict =>
  ({
    type,
    hour: null,
    main: null,
    reasons: kinds.map((reason) => ({ type: reason, good: true }) as Reason),
  }) as unknown as Verdict;
const GOOD = verdict('goodNow');
const CARE = verdict('withCare');
const LATER = verdict('betterLater');
const NOT = verdict('notNow');
const CLOSED = verdict('closed');
const HEAT_SHADE = verdict('withCare', 'heat', 'shaded');
const HEAT_SUN = verdict('withCare', 'heat', 'sunny');
const WARM_SHADE = verdict('goodNow', 'shaded');
const WARM_SUN = verdict('goodNow', 'sunny');
const confirmed = (type: ParkHazard) => ({ hazards: [{ type, verified: true }] });
const maybe = (type: ParkHazard) => ({ hazards: [{ type, verified: false }] });

const NEEDS: DogNeeds = { small: false, puppy: false, heat: false, shy: false };
const dog = (needs: Partial<DogNeeds>) => ({ needs: { ...NEEDS, ...needs } });
const night: Partial<RankingContext> = { hour: 20, dark: true };

/** Two parks at a walk of five and ten minutes. The nearer one ranks first unless the other has an advantage. */
const near = (park: Park = {}): Park => ({ distance: 310, ...park });
const far = (park: Park = {}): Park => ({ distance: 620, ...park });

/** Columns: context, nearer park, farther park, the park that ranks first, and its highlight. */
// prettier-ignore
const SITUATIONS: [string, Partial<RankingContext>, Park, Park, 'near' | 'far', string | null][] = [
  ['only the distance is known', {}, near(), far(), 'near', 'nearest'],
  ['both are good', {}, near({ verdict: GOOD }), far({ verdict: GOOD }), 'near', 'nearest'],
  ['the nearer is closed', {}, near({ verdict: CLOSED }), far(), 'far', 'openNow'],
  ['the nearer is closed, the other far', {}, near({ verdict: CLOSED }), { distance: 4000 }, 'far', 'openNow'],
  ['both are closed', {}, near({ verdict: CLOSED }), far({ verdict: CLOSED }), 'near', 'nearest'],
  ['not now at the nearer', {}, near({ verdict: NOT }), far({ verdict: GOOD }), 'far', null],
  ['better later at the nearer', {}, near({ verdict: LATER }), far({ verdict: GOOD }), 'far', null],
  ['mud at the nearer', {}, near({ verdict: CARE }), far({ verdict: GOOD }), 'far', null],
  ['mud at the nearer, half an hour to the other', {}, near({ verdict: CARE }), { distance: 1800, verdict: GOOD }, 'near', 'nearest'],
  ['poison at the nearer', {}, near(confirmed('poison')), far(), 'far', null],
  ['poison at the nearer, the other is a drive away', {}, near(confirmed('poison')), { distance: 8000 }, 'far', null],
  ['glass at the nearer, a friend is there', {}, near({ ...confirmed('glass'), friends: 1 }), far(), 'far', null],
  ['unconfirmed glass at the nearer', {}, near(maybe('glass')), far(), 'far', null],
  ['unconfirmed glass, half an hour to the other', {}, near(maybe('glass')), { distance: 1900 }, 'near', 'nearest'],
  ['a friend is at the farther', {}, near(), far({ friends: 1 }), 'far', 'friends'],
  ['a friend is at the farther, two at the nearer', {}, near({ friends: 2 }), far({ friends: 1 }), 'near', 'friends'],
  ['a friend is there, but not now', {}, near({ verdict: GOOD }), far({ friends: 1, verdict: NOT }), 'near', 'nearest'],
  ['a friend is twenty kilometres away', {}, near(), { distance: 20_000, friends: 1 }, 'near', 'nearest'],
  ['a meeting at the farther at eleven', { hour: 10 }, near(), far({ meeting: 11 }), 'far', 'meeting'],
  ['a meeting at the farther in the evening', { hour: 10 }, near(), far({ meeting: 19 }), 'near', 'nearest'],
  ['four dogs at the farther, none at the nearer', {}, near({ dogs: 0 }), far({ dogs: 4 }), 'far', 'company'],
  ['four dogs at both', {}, near({ dogs: 4 }), far({ dogs: 4 }), 'near', 'nearest'],
  ['one more dog at the farther', {}, near({ dogs: 3 }), far({ dogs: 4 }), 'near', 'nearest'],
  ['the farther is crowded', {}, near({ dogs: 0 }), far({ dogs: 7, size: 'small' }), 'near', 'nearest'],
  ['without counts, usually five dogs come to the farther', {}, near({ usual: 0 }), far({ usual: 5 }), 'far', 'usualCompany'],
  ['current counts take precedence over usual ones', {}, near({ dogs: 4, usual: 0 }), far({ dogs: 0, usual: 5 }), 'near', 'company'],
  ['a shy dog, six dogs at the nearer', dog({ shy: true }), near({ dogs: 6 }), far({ dogs: 0 }), 'far', 'calm'],
  ['a shy dog, without counts', dog({ shy: true }), near({ usual: 6 }), far({ usual: 0.5 }), 'far', 'usuallyCalm'],
  ['shade at the farther on a warm morning', { hour: 8 }, near({ verdict: WARM_SUN }), far({ verdict: WARM_SHADE, shade: 6 }), 'far', 'shadeUntil'],
  ['a pug in the heat, shade a quarter of an hour away', dog({ heat: true }), near({ verdict: HEAT_SUN }), { distance: 1240, verdict: HEAT_SHADE, shade: 12 }, 'far', 'shade'],
  ['shade at both', {}, near({ verdict: WARM_SHADE, shade: 12 }), far({ verdict: WARM_SHADE, shade: 12 }), 'near', 'nearest'],
  ['heat, water at the farther and better rated', {}, near({ verdict: HEAT_SUN, rank: 3.5 }), far({ verdict: HEAT_SUN, facts: { drinking_water: 'yes' }, rank: 4.5 }), 'far', 'water'],
  ['after dark, a lamp at the farther', night, near(), far({ facts: { lit: 'yes' } }), 'far', 'lit'],
  ['after dark, no lamp at the nearer', night, near({ facts: { lit: 'no' } }), far(), 'far', null],
  ['by day, a lamp at the farther', {}, near(), far({ facts: { lit: 'yes' } }), 'near', 'nearest'],
  ['a small dog, a separate area at the farther', dog({ small: true }), near(), far({ facts: { small_dog: 'separate' } }), 'far', 'smallDogs'],
  ['a large dog, a separate area at the farther', {}, near(), far({ facts: { small_dog: 'separate' } }), 'near', 'nearest'],
  ['a puppy, a fence at the farther', dog({ puppy: true }), near({ facts: { fenced: 'no' } }), far({ facts: { fenced: 'yes' } }), 'far', 'fenced'],
  ['the favourite is a few minutes farther away', {}, near(), { distance: 500, favourite: true }, 'far', 'favourite'],
  ['five stars against two', {}, near({ rank: 2 }), far({ rank: 5 }), 'far', 'rated'],
];

const park = (id: number, { shade, size, facts, ...known }: Park): Candidate => ({
  id,
  verdict: null,
  distance: null,
  dogs: null,
  usual: null,
  friends: 0,
  meeting: null,
  hazards: [],
  favourite: false,
  rank: null,
  facts: { shade: shade ?? null, size_label: size ?? null, facts: facts ?? {} },
  ...known,
});

const OCCASION: RankingContext = {
  hour: 15,
  dark: false,
  sun: { noon: 12.7, first: 7, last: 18 },
  needs: NEEDS,
  nearest: 1,
};

it.each(SITUATIONS)('%s', (_, context, nearer, farther, first, why) => {
  const parks = [park(2, farther), park(1, nearer)];
  const [best] = rankParks(parks, { ...OCCASION, ...context });
  expect(best?.id === 1 ? 'near' : 'far').toBe(first);
  expect(best?.highlight?.type ?? null).toBe(why);
});

it('a park is highlighted as the nearest only if it is nearest to a known location', () => {
  const highlights = (nearest: number | null) =>
    rankParks([park(1, near()), park(2, far())], { ...OCCASION, nearest }).map(
      ({ id, highlight }) => [id, highlight?.type ?? null],
    );
  expect(highlights(1)).toEqual([
    [1, 'nearest'],
    [2, null],
  ]);
  expect(highlights(null)).toEqual([
    [1, null],
    [2, null],
  ]);
  expect(highlights(3)).toEqual([
    [1, null],
    [2, null],
  ]);
});

it('parks share the verdict if it is the same for all, otherwise their weather', () => {
  const until = (hour: number) => ({ ...verdict('goodNow', 'mild'), hour }) as Verdict;
  expect(sharedOf([until(18), until(18)]).verdict).toEqual(until(18));
  expect(sharedOf([until(18), until(17)])).toMatchObject({
    verdict: null,
    reason: { type: 'mild' },
  });
  expect(sharedOf([until(18), GOOD])).toEqual({ verdict: null, reason: null });
  expect(sharedOf([until(18)]).verdict).toBeNull();
  const wet = { ...verdict('withCare', 'rain'), main: { type: 'rain' } } as Verdict;
  const shared = sharedOf([wet, verdict('closed', 'rain')]);
  expect(shared).toMatchObject({ verdict: null, reason: { type: 'rain' } });
  expect([wet, CLOSED, GOOD].map((each) => isCovered(each, shared))).toEqual([true, false, false]);
});
