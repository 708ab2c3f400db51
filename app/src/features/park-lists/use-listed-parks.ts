// The list's rows: the published file, joined with who is there now and how far it is.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParkList } from '#/entities/parks/park-list-query.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import type { ParkStatus } from '#/entities/parks/park-status.ts';
import { joinParks, searchable } from '#/features/park-lists/find-parks.ts';
import { NOBODY } from '#/entities/parks/live-counts.ts';
import type { LatLong } from '#/core/distance.ts';
import { HOUR_MS } from '#/core/durations.ts';
import type { ParkListItem } from '#/entities/parks/park-list-file.ts';

/** The published list has a rating after an hour at the latest. */
const PUBLISHED_MS = HOUR_MS;

/** Ratings of the pages that were just seen, which may hold a review of one's own that the published list has not. */
function ratingsSeen(
  queryClient: QueryClient,
): Map<number, Pick<ParkListItem, 'rank' | 'reviews'>> {
  const since = Date.now() - PUBLISHED_MS;
  const statuses = queryClient.getQueryCache().findAll({
    queryKey: ['parks'],
    // Of a park that is not there the answer is null.
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

/** Counts may come later than the list, or not at all: the list, undefined until it is here, does not wait for them. */
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
