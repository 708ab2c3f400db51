// The cached name of a park in the current language.
import { queryClient } from '#/data/query-client.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import type { ParkListItem } from '#/entities/parks/park-list-file.ts';
import type { Park } from '#/entities/parks/park.ts';
import type { Language } from '#/i18n/languages.ts';

export function cachedParkName(parkId: number, language: Language): string | null {
  const names = queryClient.getQueryData<Park>(parkKeys.park(parkId))?.park_translations ?? [];
  const of = (code: string) =>
    names.find((row) => row.language === code)?.name ?? listedName(parkId, code);
  return of(language) ?? of('en') ?? null;
}

/** Returns the name from the list of parks, if the list is cached. */
function listedName(parkId: number, language: string): string | undefined {
  const list = queryClient.getQueryData<ParkListItem[]>(parkKeys.list(language));
  return list?.find(({ id }) => id === parkId)?.name;
}
