// Searches users by their or a dog's name, in any of three scripts. A failure returns an empty result, so the screen stays usable.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';

/** The server returns an empty list for shorter texts. */
export const MIN_SEARCH_LENGTH = 2;

export interface FoundUser {
  id: string;
  name: string;
  dogs: { id: string; name: string; breed: string; photo: string | null }[];
}

interface UserSearchResult {
  users: FoundUser[];
  /** The search failed, so an empty list does not mean that nothing matches. */
  failed: boolean;
}

/** Never throws: logs a failure and returns an empty list. */
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
    enabled: text.trim().length >= MIN_SEARCH_LENGTH,
    // A failure is stale immediately, so that the search is repeated.
    staleTime: ({ state }) => (state.data?.failed ? 0 : STALE.minute),
    placeholderData: keepPreviousData,
  });

export const useSearchUsers = (text: string) => useQuery(searchUsersQueryOptions(text));
