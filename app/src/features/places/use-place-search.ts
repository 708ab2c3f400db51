// The state of an address search: the typed text, debounced suggestions, and results of a submitted search.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { clusterClient } from '#/map/cluster-client.ts';
import {
  MAX_PLACES,
  placesQueryOptions,
  SUGGEST_DELAY,
  SUGGEST_FROM,
  type FoundPlace,
} from '#/features/places/queries/search-places.ts';
import { translate, useLanguage } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { isOnline } from '#/platform/online.ts';

interface Searched {
  term: string;
  places: FoundPlace[];
  /** Translated error message, if the search failed. */
  failure: string | null;
}

const NONE: readonly FoundPlace[] = [];

export function usePlaceSearch() {
  const language = useLanguage();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [searched, setSearched] = useState<Searched | null>(null);
  const [searching, setSearching] = useState(false);
  const term = text.trim();
  const paused = usePaused(term, SUGGEST_DELAY);
  const suggestions = useQuery({
    ...placesQueryOptions('suggest', paused, language),
    enabled: paused === term && term.length >= SUGGEST_FROM,
  });

  /** Sends the typed text to the address service unless it is empty. */
  async function submit(): Promise<readonly FoundPlace[]> {
    if (term === '') return NONE;
    setSearching(true);
    try {
      const places = await client.fetchQuery(placesQueryOptions('search', term, language));
      setSearched({ term, places, failure: null });
      return places;
    } catch (error) {
      // Offline, show the offline error. Online, show that the search failed, because the address service's errors would not help
      // the user.
      const failure = isOnline() ? translate('places.search.failed') : errorText(error);
      setSearched({ term, places: [], failure });
      return NONE;
    } finally {
      setSearching(false);
    }
  }

  const cities = useQuery({
    queryKey: ['places', 'cities', language, paused],
    queryFn: () => clusterClient().cities(paused),
    // Cities come from the map's list of parks, so fetch suggestions only if that list is loaded.
    enabled:
      paused === term && term.length >= SUGGEST_FROM && clusterClient().state().state === 'ready',
  });

  const submitted = searched?.term === term ? searched : null;
  const inCities = (cities.data ?? []).map(({ name, location }): FoundPlace => {
    return { ...location, label: name, type: 'address', city: name, address: '' };
  });
  const suggested =
    term.length >= SUGGEST_FROM
      ? [...inCities, ...(suggestions.data ?? NONE)].slice(0, MAX_PLACES)
      : NONE;
  return {
    text,
    setText,
    places: submitted?.places ?? suggested,
    nothingFound: submitted !== null && submitted.failure === null && submitted.places.length === 0,
    failure: submitted?.failure ?? null,
    searching,
    submit,
  };
}

/** Debounces a value by `delay` milliseconds. */
function usePaused<T>(value: T, delay: number): T {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return paused;
}
