// Where I am now: the bar on every screen lives from it.
import { useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';
import type { Database } from '../../../../../shared/database.types.ts';

/** `counted`: whether the park's numbers have its dogs. */
export type MyCheckIn = Database['public']['Functions']['my_check_in']['Returns'][number];

/**
 * Null where I am at no park. While I am somewhere it is asked again, for another device of mine may check out.
 * @param enabled false while logged out
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
