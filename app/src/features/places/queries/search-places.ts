// Searches places by text. Suggestions are known parks, cities and streets; a submitted search also requests the address service.
import { queryOptions } from '@tanstack/react-query';
import type { Language } from '#/i18n/languages.ts';
import type { LatLong } from '#/core/distance.ts';
import { getFromFunction } from '#/data/functions.ts';
import { readLatLong } from '#/core/place.ts';

export interface FoundPlace extends LatLong {
  label: string;
  /** The type of place: a known park or an address. */
  type: 'park' | 'address';
  /** `city` and `address` are formatted for form fields; empty if unknown. */
  city: string;
  address: string;
}

/** Limits of suggestions. Three results fit above a phone's keyboard, and short texts send no request. */
export const MAX_PLACES = 3;
export const SUGGEST_FROM = 3;
export const SUGGEST_DELAY = 250;

export const placesQueryOptions = (mode: 'suggest' | 'search', term: string, language: Language) =>
  queryOptions({
    queryKey: ['places', mode, language, term],
    meta: { sameForAll: true },
    queryFn: async ({ signal }) =>
      readPlaces(await getFromFunction('geocode', { mode, q: term, language }, signal)),
    retry: false,
  });

/** Looks up the address of a point on the map. Returns null if it is unknown or the request fails. Never throws. */
export async function findAddress(
  { lat, long }: LatLong,
  language: Language,
): Promise<FoundPlace | null> {
  try {
    const query = { mode: 'point', latitude: String(lat), longitude: String(long), language };
    return readPlaces(await getFromFunction('geocode', query))[0] ?? null;
  } catch (error) {
    console.warn('The point has no address:', error);
    return null;
  }
}

/** Returns the first three rows with valid coordinates. */
export function readPlaces(response: unknown): FoundPlace[] {
  if (!Array.isArray(response)) return [];
  return (response as (Partial<FoundPlace> | null)[])
    .flatMap((row) => {
      const place = readLatLong(row?.lat, row?.long);
      if (!place || typeof row?.label !== 'string') return [];
      const { label, city, address } = row;
      const type: FoundPlace['type'] = row.type === 'park' ? 'park' : 'address';
      return [{ ...place, label, type, city: textOf(city), address: textOf(address) }];
    })
    .slice(0, MAX_PLACES);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
