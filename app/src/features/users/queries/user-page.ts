// A user's profile, limited to what the caller may see.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { AppError } from '#/core/app-error.ts';
import type { Friendship } from '#/entities/friendships/friendship.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';

export interface UserPage {
  id: string;
  name: string;
  /** Path of a dog's photo in the users bucket; null if there is none. */
  picture: string | null;
  hidden: boolean;
  friendship: Friendship;
  /** The settings of a friend; false for other users. */
  shows_friends: boolean;
  shows_favourites: boolean;
}

/** @throws {AppError} with status 403 for users who do not exist, are hidden or have blocked the caller */
async function fetchUserPage(userId: string): Promise<UserPage> {
  const page = await requestJson<UserPage | null>((client) =>
    client.rpc('user_page', { p_user_id: userId }),
  );
  if (!page) throw new AppError('users.page.notFound', 403);
  return page;
}

export const userPageQueryOptions = (userId: string) =>
  queryOptions({
    queryKey: userKeys.page(userId),
    queryFn: () => fetchUserPage(userId),
    staleTime: STALE.minute,
  });

export const useUserPage = (userId: string) => useQuery(userPageQueryOptions(userId));
