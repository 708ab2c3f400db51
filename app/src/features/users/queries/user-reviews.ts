// The reviews by a user. The caller's own include anonymous ones; those of other users do not.
import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';
import type { Database } from '../../../../../shared/database.types.ts';

/** Undefined for other users, because their anonymous reviews are not in this list. */
export type UserReview = Database['public']['Functions']['user_reviews']['Returns'][number] & {
  anonymous?: boolean;
};

export const userReviewsQueryOptions = (userId: string, mine: boolean) =>
  queryOptions({
    queryKey: userKeys.reviews(userId),
    queryFn: (): Promise<UserReview[]> =>
      request((client) =>
        mine ? client.rpc('my_reviews') : client.rpc('user_reviews', { p_user_id: userId }),
      ),
    staleTime: STALE.minute,
  });
