// The user's current visit or plan, which the bar on every screen shows.
import { useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';
import type { Database } from '../../../../../shared/database.types.ts';

/** `counted` is true if the park's dog count includes the dogs of this visit. */
export type MyCheckIn = Omit<
  Database['public']['Functions']['my_check_in']['Returns'][number],
  'arrives_at'
> & {
  /** ISO 8601. Null for visits, and for plans that were created by a check-in from far away. */
  arrives_at: string | null;
};

/**
 * Null without a visit or plan. Refetched during a visit, because another device may end it. @param enabled false while logged out
 */
export const useMyCheckIn = (enabled: boolean) =>
  useQuery({
    queryKey: parkKeys.myCheckIn,
    queryFn: async (): Promise<MyCheckIn | null> =>
      (await request((client) => client.rpc('my_check_in')))[0] ?? null,
    staleTime: STALE.live,
    refetchInterval: ({ state }) => (state.data ? STALE.live : false),
    refetchOnWindowFocus: true,
    enabled,
  });
