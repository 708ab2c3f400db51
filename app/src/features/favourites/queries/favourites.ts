// The ids of my favourite parks, newest first.
import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#/i18n/errors.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { supabase } from '#/data/supabase.ts';

/** @throws {AppError} */
export async function fetchFavourites(): Promise<number[]> {
  const client = await supabase();
  const rows = unwrap(
    await client
      .from('favourite_parks')
      .select('park_id')
      .order('created_at', { ascending: false }),
  );
  return rows.map((row) => row.park_id);
}

export const favouritesQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.favourites,
    queryFn: fetchFavourites,
    staleTime: STALE.minute,
  });
