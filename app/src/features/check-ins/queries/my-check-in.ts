// Where I am now: the bar on every screen lives from it.
import { useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/data/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { ask } from '#/data/ask.ts';

export interface MyCheckIn {
  check_in_id: string;
  park_id: number;
  park_name: string;
  started_at: string;
  expires_at: string;
  dog_count: number;
  /** Whether the park's numbers have its dogs. */
  counted: boolean;
}

/**
 * Null where I am at no park. While I am somewhere it is asked again, for another device of mine may check out.
 * @param enabled false while logged out
 */
export const useMyCheckIn = (enabled: boolean) =>
  useQuery({
    queryKey: parkKeys.myCheckIn,
    queryFn: async (): Promise<MyCheckIn | null> =>
      (await ask((client) => client.rpc('my_check_in')))[0] ?? null,
    staleTime: STALE.live,
    refetchInterval: ({ state }) => (state.data ? STALE.live : false),
    refetchOnWindowFocus: true,
    enabled,
  });
