// Loading state of the map's list of parks, for the screen around the map.
import { useEffect, useSyncExternalStore } from 'react';
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
  return useParksLoaded();
}
