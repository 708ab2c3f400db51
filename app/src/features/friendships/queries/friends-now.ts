// Where my friends are now, asked again while it is on the screen; it is never stored on the device.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/data/park-keys.ts';
import type { FriendThere } from '#/data/friends-there.ts';
import { unwrapJson } from '#/i18n/errors.ts';
import { STALE } from '#/data/stale.ts';
import { supabase } from '#/data/supabase.ts';

/** Hidden friends are not among them. @throws {AppError} */
async function fetchFriendsNow(): Promise<FriendThere[]> {
  const client = await supabase();
  return unwrapJson<FriendThere[]>(await client.rpc('friends_now'));
}

const friendsNowQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.friendsNow,
    queryFn: fetchFriendsNow,
    staleTime: STALE.live,
    refetchInterval: STALE.live,
    refetchOnWindowFocus: true,
  });

const NOBODY: FriendThere[] = [];

/** @param enabled false while logged out */
export const useFriendsNow = (enabled: boolean): FriendThere[] =>
  useQuery({ ...friendsNowQueryOptions(), enabled }).data ?? NOBODY;
