// Searches users by their own or a dog's name, in any of three scripts. A failure returns an empty result, so the screen stays
// usable.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { MIN_SEARCH } from '#/entities/users/user-limits.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';

export interface FoundUser {
  id: string;
  name: string;
  dogs: { id: string; name: string; breed: string; photo: string | null }[];
}

interface UserSearchResult {
  users: FoundUser[];
  /** True if the search failed, because an empty list then does not mean that nothing matches. */
  failed: boolean;
}

/** Logs a failure and returns an empty list. Never throws. */
export async function searchUsers(text: string): Promise<UserSearchResult> {
  try {
    const users = await requestJson<FoundUser[]>((client) =>
      client.rpc('search_users_with_dogs', { input: text }),
    );
    return { users, failed: false };
  } catch (error) {
    console.warn('The search failed:', error);
    return { users: [], failed: true };
  }
}

const searchUsersQueryOptions = (text: string) =>
  queryOptions({
    queryKey: userKeys.search(text),
    queryFn: () => searchUsers(text),
    enabled: text.trim().length >= MIN_SEARCH,
    // Mark a failure as stale, so that the search is repeated.
    staleTime: ({ state }) => (state.data?.failed ? 0 : STALE.minute),
    placeholderData: keepPreviousData,
  });

export const useSearchUsers = (text: string) => useQuery(searchUsersQueryOptions(text));
