// Finds people by their name or a dog's, in any of the three scripts. A failure is an empty answer with a note, so that the screen stays while the person types.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';

/** The server answers shorter texts with an empty list. */
export const MIN_SEARCH_LENGTH = 2;

export interface FoundUser {
  id: string;
  name: string;
  dogs: { id: string; name: string; breed: string; photo: string | null }[];
}

interface UserSearchResult {
  users: FoundUser[];
  /** The search failed: an empty list then does not mean that there is no match. */
  failed: boolean;
}

/** Never throws: a failure is logged, and the list is empty. */
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
    queryKey: peopleKeys.search(text),
    queryFn: () => searchUsers(text),
    enabled: text.trim().length >= MIN_SEARCH_LENGTH,
    // A failure is no answer to keep.
    staleTime: ({ state }) => (state.data?.failed ? 0 : STALE.minute),
    placeholderData: keepPreviousData,
  });

export const useSearchUsers = (text: string) => useQuery(searchUsersQueryOptions(text));
