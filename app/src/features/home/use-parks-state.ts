// The loading state of the list of parks on the map.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { refreshDelay } from '#/entities/parks/park-list-file.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import { clusterClient, type ParksState } from '#/map/cluster-client.ts';
import type { LiveRow } from '#/map/cluster-protocol.ts';

const subscribe = (listener: () => void) => clusterClient().listen({ onState: listener });
const read = () => clusterClient().state();

/** Renders the component again when the list has been reloaded. */
export const useParksLoaded = (): ParksState => useSyncExternalStore(subscribe, read);

/** Passes the parks in the current language and the live data to the worker. @param live undefined until loaded */
export function useParksState(live: LiveRow[] | undefined): ParksState {
  const language = useLanguage();
  useEffect(() => clusterClient().load(), [language]);
  useEffect(() => {
    if (live) clusterClient().setLive(live);
  }, [live]);
  const parks = useParksLoaded();
  const delay = parks.state === 'ready' && refreshDelay(parks.count);
  // This query is only a timer for refreshing the list. Its interval pauses while the page is hidden, and a stale list is refreshed
  // when the user returns to the home screen.
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
