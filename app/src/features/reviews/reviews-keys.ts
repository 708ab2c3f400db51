// The queries to fetch again after a park's reviews have changed.
import { myReviewQueryOptions } from '#/features/reviews/queries/my-review.ts';
import { parkReviewsQueryOptions } from '#/features/reviews/queries/park-reviews.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { getSession } from '#/data/session/session.ts';

/** Queries to which a saved review cannot be added on the client. */
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
