// Live counts of all parks; parks without any are left out.
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ParkLive } from '#/features/parks/find-parks.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { unwrap } from '#/i18n/errors.ts';
import { STALE } from '#/data/stale.ts';
import { supabase } from '#/data/supabase.ts';

/** The server answers at most this many rows at once. */
const PAGE = 1000;

/**
 * Park id to what is known; a park that is missing is empty and unranked. Paged after the last park seen, not by number of
 * rows: parks come and go between two pages.
 * @throws {AppError}
 */
export async function fetchParkLive(): Promise<Record<number, ParkLive>> {
  const client = await supabase();
  const parks: Record<number, ParkLive> = {};
  for (let last: number | null = null; ;) {
    const query = client
      .from('park_live')
      .select('park_id,dogs_now,busy_level,average_rank,review_count,conditions')
      .order('park_id')
      .limit(PAGE);
    const rows: (ParkLive & { park_id: number })[] = unwrap(
      await (last === null ? query : query.gt('park_id', last)),
    );
    for (const { park_id, ...live } of rows) parks[park_id] = live;
    if (rows.length < PAGE) return parks;
    last = rows.at(-1)?.park_id ?? null;
  }
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
