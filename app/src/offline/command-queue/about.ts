// Whom or what a waiting deed is about, as far as this device remembers their names.
import type { Language } from '#/i18n/languages.ts';
import type { OutboxEntry } from '#/offline/command-queue/state.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { queryClient } from '#/data/query-client.ts';

interface NamedPark {
  park_translations: { language: string; name: string }[];
}

/** The park's or person's name, or null where it is not known here. */
export function aboutWhat({ args }: OutboxEntry, language: Language): string | null {
  if (typeof args.p_user_id === 'string')
    return (
      queryClient.getQueryData<{ name: string } | null>(peopleKeys.page(args.p_user_id))?.name ??
      null
    );
  const path = typeof args.path === 'string' && args.bucket === 'parks' ? args.path : '';
  const parkId = Number(args.p_park_id ?? args.park_id ?? (path.split('/')[0] || NaN));
  const names = queryClient.getQueryData<NamedPark>(parkKeys.park(parkId))?.park_translations ?? [];
  const of = (wanted: string) =>
    names.find((row) => row.language === wanted)?.name ?? listedName(parkId, wanted);
  return of(language) ?? of('en') ?? null;
}

/** In the list of parks, where a screen has read it. */
function listedName(parkId: number, language: string): string | undefined {
  const list = queryClient.getQueryData<{ id: number; name: string }[]>(parkKeys.list(language));
  return list?.find(({ id }) => id === parkId)?.name;
}
