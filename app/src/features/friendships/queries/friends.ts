// Queries for the user's friends, and for sent and received friend requests.
import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';

/** The user's friends by name. @throws {AppError} */
export const friendsQueryOptions = () =>
  queryOptions({
    queryKey: userKeys.friends,
    queryFn: () =>
      request((client) =>
        client.from('friends').select('user_id,name,since,picture').order('name'),
      ),
    staleTime: STALE.minute,
  });

/** Sent and received requests, newest first. @throws {AppError} */
export const friendRequestsQueryOptions = () =>
  queryOptions({
    queryKey: userKeys.friendRequests,
    queryFn: () =>
      request((client) =>
        client
          .from('friend_requests')
          .select('user_id,name,direction,created_at,picture')
          .order('created_at', { ascending: false })
          .overrideTypes<{ direction: 'incoming' | 'outgoing' }[]>(),
      ),
    staleTime: STALE.minute,
  });

/** A friend's friends; empty unless that friend shares them. @throws {AppError} */
export const friendsOfQueryOptions = (userId: string) =>
  queryOptions({
    queryKey: userKeys.friendsOf(userId),
    queryFn: () => request((client) => client.rpc('friends_of', { p_user_id: userId })),
    staleTime: STALE.minute,
  });
