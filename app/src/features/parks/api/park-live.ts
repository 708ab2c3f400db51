// Who is where now, all parks: counts only, and only the parks with something to say.
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ParkLive } from '#/features/parks/find-parks.ts';
import { parkKeys } from '#/lib/park-keys.ts';
import { unwrap } from '#/lib/errors.ts';
import { STALE } from '#/lib/stale.ts';
import { supabase } from '#/lib/supabase.ts';

/** Park id to what is known; a park that is missing is empty and unranked. @throws {AppError} */
export async function fetchParkLive(): Promise<Record<number, ParkLive>> {
  const client = await supabase();
  const rows = unwrap(
    await client
      .from('park_live')
      .select('park_id,dogs_now,average_rank,review_count,conditions')
      .limit(1000),
  ) as unknown as (ParkLive & { park_id: number })[];
  return Object.fromEntries(rows.map(({ park_id, ...live }) => [park_id, live]));
}

/** Asked again each 15 s while it is on the screen and the page is visible. */
export const parkLiveQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.live,
    queryFn: fetchParkLive,
    meta: { sameForAll: true },
    staleTime: STALE.live,
    refetchInterval: STALE.live,
    refetchOnWindowFocus: true,
  });

export function useParkLive() {
  return useQuery(parkLiveQueryOptions());
}
