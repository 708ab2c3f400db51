// My friends, and the requests to and from me.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { unwrap } from '#/i18n/errors.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { STALE } from '#/data/stale.ts';
import { supabase } from '#/data/supabase.ts';

export interface Friend {
  user_id: string;
  name: string;
  since: string;
  picture: string | null;
}

interface FriendRequest {
  user_id: string;
  name: string;
  direction: 'incoming' | 'outgoing';
  created_at: string;
  picture: string | null;
}

/** By name. @throws {AppError} */
async function fetchFriends(): Promise<Friend[]> {
  const client = await supabase();
  return unwrap(await client.from('friends').select('user_id,name,since,picture').order('name'));
}

/** Newest first, both directions. @throws {AppError} */
async function fetchFriendRequests(): Promise<FriendRequest[]> {
  const client = await supabase();
  return unwrap(
    await client
      .from('friend_requests')
      .select('user_id,name,direction,created_at,picture')
      .order('created_at', { ascending: false })
      .overrideTypes<Pick<FriendRequest, 'direction'>[]>(),
  );
}

export const friendsQueryOptions = () =>
  queryOptions({
    queryKey: peopleKeys.friends,
    queryFn: fetchFriends,
    staleTime: STALE.minute,
  });

export const friendRequestsQueryOptions = () =>
  queryOptions({
    queryKey: peopleKeys.friendRequests,
    queryFn: fetchFriendRequests,
    staleTime: STALE.minute,
  });

/** Of a friend who shows them; else none. @throws {AppError} */
async function fetchFriendsOf(
  userId: string,
): Promise<Pick<Friend, 'user_id' | 'name' | 'picture'>[]> {
  const client = await supabase();
  return unwrap(await client.rpc('friends_of', { p_user_id: userId }));
}

export const friendsOfQueryOptions = (userId: string) =>
  queryOptions({
    queryKey: peopleKeys.friendsOf(userId),
    queryFn: () => fetchFriendsOf(userId),
    staleTime: STALE.minute,
  });

export const useFriends = () => useQuery(friendsQueryOptions());
export const useFriendRequests = () => useQuery(friendRequestsQueryOptions());
