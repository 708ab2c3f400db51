// Where my friends are now, asked again while it is on the screen; it is never stored on the device.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/data/park-keys.ts';
import { unwrapJson } from '#/i18n/errors.ts';
import { STALE } from '#/data/stale.ts';
import { supabase } from '#/data/supabase.ts';

export interface FriendNow {
  id: string;
  name: string;
  park_id: number;
}

/** Hidden friends are not among them. @throws {AppError} */
export async function fetchFriendsNow(): Promise<FriendNow[]> {
  const client = await supabase();
  return unwrapJson<FriendNow[]>(await client.rpc('friends_now'));
}

export const friendsNowQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.friendsNow,
    queryFn: fetchFriendsNow,
    staleTime: STALE.live,
    refetchInterval: STALE.live,
    refetchOnWindowFocus: true,
  });

/** @param enabled false while nobody is logged in */
export function useFriendsNow(enabled: boolean): FriendNow[] {
  return useQuery({ ...friendsNowQueryOptions(), enabled }).data ?? [];
}
