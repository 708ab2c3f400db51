// The IDs of favourite parks, newest first, of the user or of a friend who shares them.
import { queryOptions } from '@tanstack/react-query';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';

async function fetchFavourites(): Promise<number[]> {
  const rows = await request((client) =>
    client.from('favourite_parks').select('park_id').order('created_at', { ascending: false }),
  );
  return rows.map((row) => row.park_id);
}

export const favouritesQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.favourites,
    queryFn: fetchFavourites,
    staleTime: STALE.minute,
  });

export const favouritesOfQueryOptions = (userId: string, mine: boolean) =>
  queryOptions({
    queryKey: (mine ? parkKeys.favourites : parkKeys.favouritesOf(userId)) as readonly string[],
    queryFn: () =>
      mine
        ? fetchFavourites()
        : request((client) => client.rpc('favourites_of', { p_user_id: userId })),
    staleTime: STALE.minute,
  });
