// Tests the search in three scripts, the filters, which never match unknown facts, and the sorting with ties.
import { expect, it } from 'vitest';
import { type BestFirst, effectiveSort, findParks, joinParks, searchable } from './find-parks.ts';
import type { ParkLive } from '../../../../shared/verdict/live-counts.ts';
import { factsOf } from '#/entities/parks/park-list-file.ts';
import type { ListedFacts, ParkListItem } from '#/entities/parks/park-list-file.ts';
import { choose, countFilters, parkFilters, parseParkSearch, toggle } from './park-filters.ts';
import {
  type ChoiceKey,
  PARK_FACT_KEYS,
  PARK_FACTS,
  type ParkFactKey,
} from '../../../../shared/park-facts.ts';

const PLACE = { lat: 32.08, long: 34.78 };

const live: ParkLive = { dogs_now: 0, busy_level: 'quiet', conditions: [], hazards: [] };

const place = (lat: number, long: number, rank: number | null) => ({
  location: { lat, long },
  rank,
});
const file = [
  {
    id: 1,
    name: 'גינת הירקון',
    city: 'תל אביב',
    address: 'רח׳ רוקח 2',
    ...place(32.1, 34.8, null),
  },
  { id: 2, name: 'حديقة أبو كبير', city: 'يافا', address: '', ...place(32.05, 34.77, 4.5) },
  { id: 3, name: 'Café Park 10', city: 'Haifa', address: '', ...place(32.8, 35, 4.9) },
  { id: 4, name: 'Café Park 9', city: 'Haifa', address: '', ...place(32.81, 35, null) },
];
const details = new Map<number, ListedFacts>([
  [1, { size: 'small', ground: ['SAND', 'GRASS'], shade: 6 }],
  [2, { size: 'large', facilities: true, shade: 2 }],
  [3, { facilities: false }],
]);
const rows = (known: Map<number, ListedFacts>): ParkListItem[] =>
  file.map((park) => ({ ...park, known: known.get(park.id) ?? {} }));
const lives = new Map([
  [2, { ...live, dogs_now: 5 }],
  [3, { ...live, dogs_now: 2 }],
]);
const liveOf = (id: number) => lives.get(id) ?? null;
const parks = joinParks(searchable(rows(details)), liveOf, { lat: 32.1, long: 34.8 });
const ids = (search: Record<string, unknown>, list = parks) =>
  findParks(list, parseParkSearch(search), 'en').map((park) => park.id);

it('findParks: searches name, city and address without diacritics', () => {
  expect(ids({ q: 'ירקון' })).toEqual([1]);
  expect(ids({ q: 'רח רוקח' })).toEqual([1]);
  expect(ids({ q: 'ابو' })).toEqual([2]);
  expect(ids({ q: 'cafe haifa' })).toEqual([3, 4]);
  expect(ids({ q: 10 })).toEqual([3]);
  expect(ids({ q: 'nowhere' })).toEqual([]);
});

it('findParks: filters by known facts only', () => {
  expect(ids({ size: 'small,large' })).toEqual([1, 2]);
  expect(ids({ ground: 'GRASS' })).toEqual([1]);
  expect(ids({ shade: 3 })).toEqual([1]);
  expect(ids({ near: 10_000 })).toEqual([1, 2]);
  expect(ids({ facilities: true })).toEqual([2]);
  expect(ids({ dogs: 'more' })).toEqual([2]);
  expect(ids({ dogs: 'fewer' })).toEqual([1, 3, 4]);
});

it('findParks: sorts by each order', () => {
  expect(ids({})).toEqual([1, 2, 3, 4]);
  expect(ids({ sort: 'name' })).toEqual([4, 3, 1, 2]);
  expect(ids({ sort: 'dogs' })).toEqual([2, 3, 1, 4]);
  expect(ids({ sort: 'rank' })).toEqual([3, 2, 1, 4]);
});

it('findParks: ranks the nearest parks with the given function', () => {
  const reversed: BestFirst = (parks) => [...parks].reverse();
  const best = findParks(parks, { sort: 'best' }, 'en', reversed).map(({ id }) => id);
  expect(best).toEqual(ids({ sort: 'distance' }).reverse());
});

it('findParks: sorts by name if the location is unknown', () => {
  const nowhere = joinParks(searchable(rows(details)), liveOf, null);
  expect(ids({ sort: 'distance' }, nowhere)).toEqual(ids({ sort: 'name' }, nowhere));
  expect(effectiveSort({} as never, false)).toBe('name');
});

it('URL filters: unknown names and values are dropped', () => {
  expect(
    parseParkSearch({ size: 'huge,small', sort: 'luckiest', shade: 99, dogs: 1, q: '', lat: 32 }),
  ).toEqual({ size: 'small' });
});

it('URL filters: active filters are counted', () => {
  expect(countFilters(parseParkSearch({ size: 'small', shade: 3, q: 'x' }))).toBe(2);
});

it('URL filters: a filter with one or several choices is switched on and off', () => {
  expect(toggle('size', 'large', { size: 'small' })).toEqual({ size: 'small,large' });
  expect(toggle('size', 'small', { size: 'small' })).toEqual({ size: undefined });
  expect(toggle('shade', 6, { shade: 3 })).toEqual({ shade: 6 });
  expect(toggle('facilities', true, { facilities: true })).toEqual({ facilities: undefined });
  expect(choose('ground', [])).toEqual({ ground: undefined });
});

const known = (of: Record<string, string>) => factsOf({ facts: of });
const withFacts = new Map<number, ListedFacts>([
  [1, { facts: { fenced: 'yes', drinking_water: 'yes', small_dog: 'separate', fee: 'no' } }],
  [
    2,
    { facts: { fenced: 'yes', drinking_water: 'yes', small_dog: 'shared', 'fence:height': '1.5' } },
  ],
  [3, { facts: { fenced: 'no', drinking_water: 'yes', opening_hours: 'off' } }],
  [4, { facts: { fenced: 'yes', opening_hours: '24/7', dog: 'unleashed' } }],
]);
const list = joinParks(searchable(rows(withFacts)), liveOf, null);

it.each([
  [{ fenced: true, water: true, smallDogs: 'separate,shared' }, [2, 1]],
  [{ fenced: true, water: true, smallDogs: 'separate' }, [1]],
  [{ open: true }, [4]],
  [{ fenceHeight: 1.2 }, [2]],
  [{ fenceHeight: 1.8 }, []],
  [{ free: true }, [1]],
  [{ offLeash: true }, [4]],
])('fact filters: %j', (search, expected) => {
  expect(new Set(ids(search, list))).toEqual(new Set(expected));
});

it('fact filters: each fact except restricted access and dog hours has a filter', () => {
  const values: Record<ParkFactKey, readonly string[]> = {
    ...(PARK_FACTS as Record<ChoiceKey, readonly string[]>),
    'fence:height': ['1.8'],
    shelter_distance: ['50'],
    opening_hours: ['24/7'],
    'dog:conditional': ['unleashed @ (06:00-09:00)'],
  };
  const passes = (of: Record<string, string>) =>
    parkFilters.flatMap(([name, { options, fits }]) =>
      options
        .filter((option) => fits({ distance: 0, facts: known(of), live, location: PLACE }, option))
        .map((option) => `${name} ${String(option)}`),
    );
  const unknown = passes({});
  const filtered = PARK_FACT_KEYS.filter((key) =>
    values[key].some((value) => passes({ [key]: value }).length > unknown.length),
  );
  // These facts have no filter, because few parks have restricted access or exceptions from the rule for dogs.
  const withoutFilter = ['dog:conditional', 'access'];
  expect(filtered).toEqual(PARK_FACT_KEYS.filter((key) => !withoutFilter.includes(key)));
});
