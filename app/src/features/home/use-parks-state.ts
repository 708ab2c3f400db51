// Whether the map's list of parks is loaded, for the screen around the map.
import { useEffect, useSyncExternalStore } from 'react';
import { useLanguage } from '#/i18n/i18n.ts';
import { clusterClient, type ParksState } from '#/map/cluster-client.ts';
import type { LiveRow } from '#/map/cluster-protocol.ts';

const subscribe = (listener: () => void) => clusterClient().listen({ onState: listener });
const read = () => clusterClient().state();

/** Renders again when the list is loaded anew. */
export const useParksLoaded = (): ParksState => useSyncExternalStore(subscribe, read);

/** Keeps the worker's parks in the page's language and its live rows current. `live`: undefined while nothing is known. */
export function useParksState(live: LiveRow[] | undefined): ParksState {
  const language = useLanguage();
  useEffect(() => clusterClient().load(), [language]);
  useEffect(() => {
    if (live) clusterClient().setLive(live);
  }, [live]);
  return useParksLoaded();
}
