// Which parks a search shows and in which order: pure, quick enough for thousands at each key press.
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { foldText, matchesWords } from '#/core/fold-text.ts';
import type { ParkLive } from '#/entities/parks/live-counts.ts';
import type { ParkFacts } from '#/entities/parks/park-facts.ts';
import type { ParkListItem } from '#/entities/parks/park-list-file.ts';
import { factsOf } from '#/entities/parks/park-list-file.ts';
import { type ParkSearch, passesFilters, type Sort } from '#/features/park-lists/park-filters.ts';

/** One row of the list: what the list file says, joined with life where that is known. */
export interface ListedPark extends Omit<ParkListItem, 'known'> {
  /** Folded name, city and address. */
  haystack: string;
  facts: ParkFacts;
  live: ParkLive | null;
  /** Metres from the person, or null where their place is unknown. */
  distance: number | null;
}

type SearchablePark = Omit<ListedPark, 'live' | 'distance'>;

/** Folds what is searched, once per list: folding thousands of names takes longer than anything else here. */
export const searchable = (parks: readonly ParkListItem[]): SearchablePark[] =>
  parks.map(({ known, ...park }) => ({
    ...park,
    facts: factsOf(known),
    haystack: foldText(`${park.name} ${park.city} ${park.address}`),
  }));

/** Joins the list file with life, which may come later than the list. */
export const joinParks = (
  parks: readonly SearchablePark[],
  liveOf: (id: number) => ParkLive | null,
  here: LatLong | null,
): ListedPark[] =>
  parks.map((park) => ({
    ...park,
    live: liveOf(park.id),
    distance: here ? distanceBetween(here, park.location) : null,
  }));

const dogsAt = (park: ListedPark) => park.live?.dogs_now ?? 0;

const passes = (park: ListedPark, search: ParkSearch): boolean =>
  passesFilters(park, search) && (search.q === undefined || matchesWords(park.haystack, search.q));

/** What has no meaning without a place. */
export const needsPlace = (sort: Sort = 'distance'): boolean =>
  sort === 'distance' || sort === 'best';

/** Puts parks into their order for this hour, the best first. */
export type BestFirst = (parks: readonly ListedPark[]) => ListedPark[];
/** So many of the nearest are weighed; what lies farther away follows by distance. */
const WEIGHED = 40;

/** The order that is used: what was asked for, else the nearest first, else by name. */
export function effectiveSort(search: ParkSearch, placeKnown: boolean): Sort {
  if (search.sort && needsPlace(search.sort) && !placeKnown) return 'name';
  return search.sort ?? (placeKnown ? 'distance' : 'name');
}

/** The parks that a search shows, in order; equals fall back to distance, then name. `bestFirst`: for that order. */
export function findParks(
  parks: readonly ListedPark[],
  search: ParkSearch,
  locale: string,
  bestFirst?: BestFirst,
): ListedPark[] {
  const byName = new Intl.Collator(locale, { numeric: true }).compare;
  const found = parks.filter((park) => passes(park, search));
  const sort = effectiveSort(
    search,
    parks.some((park) => park.distance !== null),
  );
  const tie = (a: ListedPark, b: ListedPark) =>
    (a.distance ?? 0) - (b.distance ?? 0) || byName(a.name, b.name);
  const orders: Record<Sort, (a: ListedPark, b: ListedPark) => number> = {
    best: tie,
    distance: tie,
    name: (a, b) => byName(a.name, b.name) || tie(a, b),
    dogs: (a, b) => dogsAt(b) - dogsAt(a) || tie(a, b),
    rank: (a, b) => (b.rank ?? 0) - (a.rank ?? 0) || tie(a, b),
  };
  found.sort(orders[sort]);
  if (sort !== 'best' || !bestFirst) return found;
  return [...bestFirst(found.slice(0, WEIGHED)), ...found.slice(WEIGHED)];
}
