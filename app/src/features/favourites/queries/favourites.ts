// The ids of favourite parks, newest first: mine, or those of a friend who shows them.
import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#/i18n/errors.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { supabase } from '#/data/supabase.ts';

async function fetchFavourites(): Promise<number[]> {
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

async function fetchFavouritesOf(userId: string): Promise<number[]> {
  const client = await supabase();
  return unwrap(await client.rpc('favourites_of', { p_user_id: userId }));
}

/** Those that a profile shows. */
export const favouritesOfQueryOptions = (userId: string, mine: boolean) =>
  queryOptions({
    queryKey: (mine ? parkKeys.favourites : parkKeys.favouritesOf(userId)) as readonly string[],
    queryFn: () => (mine ? fetchFavourites() : fetchFavouritesOf(userId)),
    staleTime: STALE.minute,
  });
