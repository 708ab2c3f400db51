// The reviews of a person: all of the caller's own, and of others those that are not anonymous.
import { queryOptions } from '@tanstack/react-query';
import { peopleKeys } from '#/data/people-keys.ts';
import { STALE } from '#/data/stale.ts';
import { ask } from '#/data/ask.ts';

export interface UserReview {
  id: string;
  park_id: number;
  park_name: string;
  title: string;
  content: string;
  rank: number;
  /** Only mine can be anonymous here. */
  anonymous?: boolean;
  created_at: string;
}

async function fetchUserReviews(userId: string, mine: boolean): Promise<UserReview[]> {
  return mine
    ? await ask((client) => client.rpc('my_reviews'))
    : await ask((client) => client.rpc('user_reviews', { p_user_id: userId }));
}

export const userReviewsQueryOptions = (userId: string, mine: boolean) =>
  queryOptions({
    queryKey: peopleKeys.reviews(userId),
    queryFn: () => fetchUserReviews(userId, mine),
    staleTime: STALE.minute,
  });
