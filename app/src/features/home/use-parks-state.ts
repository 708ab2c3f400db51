// Loading state of the map's list of parks, for the screen around the map.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { refreshDelay } from '#/entities/parks/park-list-file.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import { clusterClient, type ParksState } from '#/map/cluster-client.ts';
import type { LiveRow } from '#/map/cluster-protocol.ts';

const subscribe = (listener: () => void) => clusterClient().listen({ onState: listener });
const read = () => clusterClient().state();

/** Re-renders when the list has been reloaded. */
export const useParksLoaded = (): ParksState => useSyncExternalStore(subscribe, read);

/** Keeps the worker's parks in the current language and its live rows up to date. @param live undefined until loaded */
export function useParksState(live: LiveRow[] | undefined): ParksState {
  const language = useLanguage();
  useEffect(() => clusterClient().load(), [language]);
  useEffect(() => {
    if (live) clusterClient().setLive(live);
  }, [live]);
  const parks = useParksLoaded();
  const delay = parks.state === 'ready' && refreshDelay(parks.count);
  // A query serves as the timer for refreshing the list. Its interval pauses while the page is hidden, and a stale list is
  // refreshed when the user returns to the home screen.
  useQuery({
    queryKey: parkKeys.listRefresh,
    queryFn: () => {
      clusterClient().refresh();
      return null;
    },
    initialData: null,
    enabled: delay !== false,
    staleTime: delay || Infinity,
    refetchInterval: delay,
    refetchOnWindowFocus: true,
  });
  return parks;
}
