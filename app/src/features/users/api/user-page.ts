// A user's page as the caller may see it.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { AppError, unwrapJson } from '#/lib/errors.ts';
import type { Friendship } from '#/lib/friendship.ts';
import { peopleKeys } from '#/lib/backend/people-keys.ts';
import { STALE } from '#/lib/backend/stale.ts';
import { supabase } from '#/lib/backend/supabase.ts';

export interface UserPage {
  id: string;
  name: string;
  hidden: boolean;
  friendship: Friendship;
}

/** @throws {AppError} with status 403 'User not found' for whoever does not exist, hides or blocks */
export async function fetchUserPage(userId: string): Promise<UserPage> {
  const client = await supabase();
  const page = unwrapJson<UserPage | null>(await client.rpc('user_page', { p_user_id: userId }));
  if (!page) throw new AppError('users.page.notFound', 403);
  return page;
}

export const userPageQueryOptions = (userId: string) =>
  queryOptions({
    queryKey: peopleKeys.page(userId),
    queryFn: () => fetchUserPage(userId),
    staleTime: STALE.minute,
  });

export function useUserPage(userId: string) {
  return useQuery(userPageQueryOptions(userId));
}
