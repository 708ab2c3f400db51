// The reviews of a user: for the caller all of them, for other users those that are not anonymous.
import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';
import type { Database } from '../../../../../shared/database.types.ts';

/** Reviews of other users in this list are never anonymous. */
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
