// Live counts of all parks, updated by fetching only the changes.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useStore } from '#/core/store.ts';
import {
  applyLiveResponse,
  type LiveResponse,
  type LiveCounts,
  NOBODY,
  withUnsentDogs,
} from '../../../../shared/verdict/live-counts.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { unsentDogs } from '#/entities/parks/unsent-dogs.ts';
import { fetchPublicRpc } from '#/data/public-requests.ts';
import { STALE } from '#/data/stale.ts';

/** After this time, fetch all counts again instead of only the changes. */
const COMPLETE_MS = 600_000;

/** @param before the known counts @param fresh bypasses caches, after a command of the user */
async function fetchLiveCounts(before: LiveCounts | undefined, fresh: boolean) {
  const now = Date.now();
  const known = before && now - before.completeAt < COMPLETE_MS ? before : undefined;
  const response = await fetchPublicRpc('live_counts', {
    ...(known && { p_since: String(known.at) }),
    ...(fresh && { p_fresh: 'true' }),
  });
  return applyLiveResponse(known, response as LiveResponse, now);
}

/** Refetched every 15 s while it is shown and the page is visible. */
const parkLiveQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.live,
    queryFn: ({ client, queryKey }) => {
      const state = client.getQueryState<LiveCounts>(queryKey);
      return fetchLiveCounts(state?.data, state?.isInvalidated ?? false);
    },
    meta: { sameForAll: true },
    staleTime: STALE.live,
    refetchInterval: STALE.live,
    refetchOnWindowFocus: true,
  });

/** Returns live counts by park ID. Parks without dogs or conditions are missing. */
export function useParkLive(enabled = true) {
  const own = useStore(unsentDogs);
  const select = useCallback(
    ({ parks }: LiveCounts) => {
      const all = { ...parks };
      for (const [id, more] of Object.entries(own))
        all[Number(id)] = withUnsentDogs(parks[Number(id)] ?? NOBODY, more);
      return all;
    },
    [own],
  );
  return useQuery({ ...parkLiveQueryOptions(), enabled, select });
}
