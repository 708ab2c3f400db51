// The names of parks and people in the language that one reads, as far as this device remembers them.
import { parkKeys } from '#/data/park-keys.ts';
import type { Park } from '#/data/parks/park.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { queryClient } from '#/data/query-client.ts';
import type { Language } from '#/i18n/languages.ts';
import type { ParkListItem } from '#/offline/park-file.ts';
import type { Subject } from '#/offline/command-queue/define-command.ts';

export function subjectName({ parkId, userId }: Subject, language: Language): string | null {
  if (userId !== undefined)
    return queryClient.getQueryData<{ name: string } | null>(peopleKeys.page(userId))?.name ?? null;
  if (parkId === undefined) return null;
  const names = queryClient.getQueryData<Park>(parkKeys.park(parkId))?.park_translations ?? [];
  const of = (wanted: string) =>
    names.find((row) => row.language === wanted)?.name ?? listedName(parkId, wanted);
  return of(language) ?? of('en') ?? null;
}

/** In the list of parks, where a screen has read it. */
function listedName(parkId: number, language: string): string | undefined {
  const list = queryClient.getQueryData<ParkListItem[]>(parkKeys.list(language));
  return list?.find(({ id }) => id === parkId)?.name;
}
