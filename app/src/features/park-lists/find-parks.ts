// Filters and sorts parks. Pure, and fast enough to run on each key press for thousands of parks.
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { foldText, matchesWords } from '#/core/fold-text.ts';
import type { ParkLive } from '../../../../shared/verdict/live-counts.ts';
import type { ParkFacts } from '../../../../shared/park-facts.ts';
import type { ParkListItem } from '#/entities/parks/park-list-file.ts';
import { factsOf } from '#/entities/parks/park-list-file.ts';
import { type ParkSearch, passesFilters, type Sort } from '#/features/park-lists/park-filters.ts';

/** A park of the list file, with live counts if they are known. */
export interface ListedPark extends Omit<ParkListItem, 'known'> {
  /** Name, city and address, normalised for the search. */
  haystack: string;
  facts: ParkFacts;
  live: ParkLive | null;
  /** Metres from the user; null if the user's location is unknown. */
  distance: number | null;
}

type SearchablePark = Omit<ListedPark, 'live' | 'distance'>;

/** Normalises the searched text once per list, because this is the slowest step. */
export const searchable = (parks: readonly ParkListItem[]): SearchablePark[] =>
  parks.map(({ known, ...park }) => ({
    ...park,
    facts: factsOf(known),
    haystack: foldText(`${park.name} ${park.city} ${park.address}`),
  }));

/** Adds live counts, which may arrive later, to the parks of the list file. */
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

/** Returns true if an order requires a location. */
export const needsPlace = (sort: Sort = 'distance'): boolean =>
  sort === 'distance' || sort === 'best';

/** Returns parks in order for the current hour, the best first. */
export type BestFirst = (parks: readonly ListedPark[]) => ListedPark[];
/** Only this many of the nearest parks are ranked. The others follow by distance. */
const WEIGHED = 40;

/** Returns the order to use: the requested one, or by default the distance, or the name without a location. */
export function effectiveSort(search: ParkSearch, placeKnown: boolean): Sort {
  if (search.sort && needsPlace(search.sort) && !placeKnown) return 'name';
  return search.sort ?? (placeKnown ? 'distance' : 'name');
}

/**
 * Returns the matching parks in order. Ties are broken by distance, then by name. @param bestFirst ranks the parks for the order
 * 'best'
 */
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
