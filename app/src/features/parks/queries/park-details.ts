// The facts of all parks, which the list filters by: those of the list file, joined with the photos that it does not carry.
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ParkFacts } from '#/features/parks/find-parks.ts';
import { parkListQueryOptions } from '#/features/parks/queries/park-list.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { currentLanguage } from '#/i18n/i18n.ts';
import { unwrap } from '#/i18n/errors.ts';
import type { ListedFacts } from '#/offline/park-file.ts';
import { supabase } from '#/data/supabase.ts';

/** The server answers at most this many rows at once. */
const PAGE = 1000;

/** Park id to its primary photo, of the parks that have one. @throws {AppError} */
async function fetchPrimaryPhotos(): Promise<Map<number, string | null>> {
  const client = await supabase();
  const photos = new Map<number, string | null>();
  for (let from = 0; ; from += PAGE) {
    const rows = unwrap(
      await client
        .from('parks')
        .select('id,primary_photo')
        .not('primary_photo', 'is', null)
        .order('id')
        .range(from, from + PAGE - 1),
    );
    for (const { id, primary_photo } of rows) photos.set(id, primary_photo);
    if (rows.length < PAGE) return photos;
  }
}

/** What the list says of a park, as its page has it; square metres are only there. */
export const factsOf = (known: ListedFacts | undefined, photo: string | null): ParkFacts => ({
  size: null,
  size_label: known?.size ?? null,
  materials: known?.ground ?? null,
  shade: known?.shade ?? null,
  has_facilities: known?.facilities ?? null,
  facts: known?.facts ?? {},
  primary_photo: photo,
});

/** Park id to facts, all approved parks. */
export const parkDetailsQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.details,
    queryFn: async ({ client }): Promise<Record<number, ParkFacts>> => {
      const [list, photos] = await Promise.all([
        client.ensureQueryData(parkListQueryOptions(currentLanguage())),
        fetchPrimaryPhotos(),
      ]);
      return Object.fromEntries(
        list.map(({ id, known }) => [id, factsOf(known, photos.get(id) ?? null)]),
      );
    },
    meta: { sameForAll: true },
  });

export function useParkDetails() {
  return useQuery(parkDetailsQueryOptions());
}
