// A park's live status in one response: counts, friends, conditions, and the user's own check-in, favourite and review.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useStore } from '#/core/store.ts';
import type { ConditionReport, ParkNotice } from '#/entities/parks/conditions.ts';
import type { FriendThere } from '#/entities/friendships/friends-there.ts';
import { type HazardReport } from '#/entities/parks/hazards.ts';
import { isHazard, type KnownHazard } from '../../../../shared/verdict/hazards.ts';
import { withUnsentDogs } from '../../../../shared/verdict/live-counts.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { unsentDogs } from '#/entities/parks/unsent-dogs.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';
import type { BusyLevel } from '../../../../shared/enums.ts';

export interface ParkStatus {
  dogs_now: number;
  /** The approximate number of users; null if there are fewer than seven. */
  people: 'few' | 'several' | 'many' | null;
  busy_level: BusyLevel;
  average_rank: number | null;
  review_count: number;
  /** The number of reviews with 1, 2, 3, 4 and 5 stars. */
  rank_distribution: number[];
  /** Null in a cached response, because the location of friends is never stored. */
  friends_here: FriendThere[] | null;
  conditions: ConditionReport[];
  hazards: HazardReport[];
  notices: ParkNotice[];
  is_favourite: boolean;
  my_photos: string[];
  /** Facts on which visitors disagree, with their values, the highest score first. */
  disputed_facts: Record<string, string[]>;
  my_review_id: string | null;
  /** True within the retention time of visits; only then do the user's stars count. */
  been_here: boolean;
}

export const hazardsNow = ({ hazards }: ParkStatus): KnownHazard[] =>
  hazards.flatMap(({ hazard, verified, cleared_at }) =>
    cleared_at === null && isHazard(hazard) ? [{ type: hazard, verified }] : [],
  );

/** Refetched every 15 s while it is shown and the page is visible. */
export const parkStatusQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: parkKeys.status(parkId),
    queryFn: (): Promise<ParkStatus> =>
      requestJson<ParkStatus>((client) => client.rpc('park_status', { p_park_id: parkId })),
    staleTime: STALE.live,
    refetchInterval: STALE.live,
    refetchOnWindowFocus: true,
  });

export function useParkStatus(parkId: number) {
  const more = useStore(unsentDogs)[parkId] ?? 0;
  return useQuery({
    ...parkStatusQueryOptions(parkId),
    select: (status: ParkStatus) => (more ? withUnsentDogs(status, more) : status),
  });
}
