// The parks of the list file, with live counts and distances.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParkList } from '#/entities/parks/park-list-query.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import type { ParkStatus } from '#/entities/parks/park-status.ts';
import { joinParks, searchable } from '#/features/park-lists/find-parks.ts';
import { NOBODY } from '../../../../shared/verdict/live-counts.ts';
import type { LatLong } from '#/core/distance.ts';
import { HOUR_MS } from '../../../../shared/durations.ts';
import type { ParkListItem } from '#/entities/parks/park-list-file.ts';

/** The published list contains a new rating after this time at the latest. */
const PUBLISHED_MS = HOUR_MS;

/** Returns the ratings on recently opened pages, which include the user's own reviews. The published list may lack these. */
function ratingsSeen(
  queryClient: QueryClient,
): Map<number, Pick<ParkListItem, 'rank' | 'reviews'>> {
  const since = Date.now() - PUBLISHED_MS;
  const statuses = queryClient.getQueryCache().findAll({
    queryKey: ['parks'],
    // The status of a removed park is null.
    predicate: ({ queryKey, state }) =>
      queryKey[2] === 'status' && state.dataUpdatedAt > since && state.data !== null,
  });
  return new Map(
    statuses.map(({ queryKey, state }) => {
      const { average_rank: rank, review_count: reviews } = state.data as ParkStatus;
      return [Number(queryKey[1]), { rank, reviews }];
    }),
  );
}

/** Undefined while the list is loading. Does not wait for live counts, which may arrive later or not at all. */
export function useListedParks(here: LatLong | null) {
  const list = useParkList();
  const live = useParkLive().data;
  const queryClient = useQueryClient();
  const folded = useMemo(() => {
    const seen = ratingsSeen(queryClient);
    const rated = list.data?.map((park) => ({ ...park, ...seen.get(park.id) }));
    return rated && searchable(rated);
  }, [list.data, queryClient]);
  const parks = useMemo(
    () => folded && joinParks(folded, (id) => (live ? (live[id] ?? NOBODY) : null), here),
    [folded, live, here],
  );
  return { parks, failed: list.isError && !list.data, retry: () => void list.refetch() };
}
