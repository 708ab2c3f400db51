// The queries to refetch after a park's reviews have changed.
import { myReviewQueryOptions } from '#/features/reviews/queries/my-review.ts';
import { parkReviewsQueryOptions } from '#/features/reviews/queries/park-reviews.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { getSession } from '#/data/session/session.ts';

/** Keys of queries to which the client cannot add a saved review. */
export const otherReviewKeys = (parkId: number) => [
  parkReviewsQueryOptions(parkId, 'best').queryKey,
  parkReviewsQueryOptions(parkId, 'worst').queryKey,
  parkKeys.status(parkId),
  userKeys.reviews(getSession().userId ?? ''),
];

export const reviewsKeys = (parkId: number) => [
  myReviewQueryOptions(parkId).queryKey,
  parkReviewsQueryOptions(parkId, 'newest').queryKey,
  ...otherReviewKeys(parkId),
];
