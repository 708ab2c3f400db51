// The stored facts of all parks: the list filters by them, and the list file does not carry them.
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ParkFacts } from '#/features/parks/find-parks.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { unwrap } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

/** The server answers at most this many rows at once. */
const PAGE = 1000;

/** Park id to facts, all approved parks. @throws {AppError} */
export async function fetchParkDetails(): Promise<Record<number, ParkFacts>> {
  const client = await supabase();
  const facts: Record<number, ParkFacts> = {};
  for (let from = 0; ; from += PAGE) {
    const rows = unwrap(
      await client
        .from('parks')
        .select('id,size,size_label,materials,shade,has_facilities,primary_photo')
        .order('id')
        .range(from, from + PAGE - 1),
    );
    for (const { id, ...park } of rows) facts[id] = park;
    if (rows.length < PAGE) return facts;
  }
}

export const parkDetailsQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.details,
    queryFn: fetchParkDetails,
    meta: { sameForAll: true },
  });

export function useParkDetails() {
  return useQuery(parkDetailsQueryOptions());
}
