// All parks from the published file of a language; the map's worker reads the same file separately.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useLanguage } from '#/i18n/i18n.ts';
import type { Language } from '#/i18n/languages.ts';
import { getConfig } from '#/platform/config.ts';
import {
  fetchParkFile,
  type ParkListItem,
  refreshDelay,
  refreshParkFile,
} from '#/entities/parks/park-list-file.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { nativePlatform } from '#/platform/native.ts';

const delayOf = ({ state }: { state: { data?: ParkListItem[] | undefined } }) =>
  refreshDelay(state.data?.length);

/** @throws {ParkFileError} if neither this language nor English has a valid list */
export const parkListQueryOptions = (language: Language) =>
  queryOptions({
    queryKey: parkKeys.list(language),
    meta: { sameForAll: true },
    // Offline, the service worker responds.
    networkMode: 'always',
    queryFn: async ({ client, queryKey }) => {
      const { supabaseUrl } = getConfig();
      const known = client.getQueryData<ParkListItem[]>(queryKey);
      return known
        ? // A failed refresh leaves the list as it is.
          ((await refreshParkFile(supabaseUrl, language).catch(() => null)) ?? known)
        : fetchParkFile(supabaseUrl, language, nativePlatform() !== null);
    },
    staleTime: delayOf,
    refetchInterval: delayOf,
  });

export const useParkList = () => useQuery(parkListQueryOptions(useLanguage()));
