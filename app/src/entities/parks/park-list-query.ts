// All parks from the published file of a language; the map's worker reads the same file separately.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useLanguage } from '#/i18n/i18n.ts';
import type { Language } from '#/i18n/languages.ts';
import { getConfig } from '#/platform/config.ts';
import { fetchParkFile } from '#/entities/parks/park-list-file.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { nativePlatform } from '#/platform/native.ts';

/** @throws {ParkFileError} if neither this language nor English has a valid list */
export const parkListQueryOptions = (language: Language) =>
  queryOptions({
    queryKey: parkKeys.list(language),
    meta: { sameForAll: true },
    // Offline, the service worker responds.
    networkMode: 'always',
    queryFn: () => fetchParkFile(getConfig().supabaseUrl, language, nativePlatform() !== null),
  });

export const useParkList = () => useQuery(parkListQueryOptions(useLanguage()));
