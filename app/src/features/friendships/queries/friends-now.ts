// The parks where friends are now. Polled while shown, and never stored on the device.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import type { FriendThere } from '#/entities/friendships/friends-there.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';

/** Hidden friends are excluded. @throws {AppError} */
const friendsNowQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.friendsNow,
    queryFn: (): Promise<FriendThere[]> =>
      requestJson<FriendThere[]>((client) => client.rpc('friends_now')),
    staleTime: STALE.live,
    refetchInterval: STALE.live,
    refetchOnWindowFocus: true,
  });

const NOBODY: FriendThere[] = [];

/** @param enabled false while logged out */
export const useFriendsNow = (enabled: boolean): FriendThere[] =>
  useQuery({ ...friendsNowQueryOptions(), enabled }).data ?? NOBODY;
