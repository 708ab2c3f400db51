// What is stale once a park's reviews changed.
import { myReviewQueryOptions } from '#/features/reviews/queries/my-review.ts';
import { parkReviewsQueryOptions, REVIEW_ORDERS } from '#/features/reviews/queries/park-reviews.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { getSession } from '#/data/session/session.ts';

export const reviewsKeys = (parkId: number) => [
  myReviewQueryOptions(parkId).queryKey,
  ...REVIEW_ORDERS.map((order) => parkReviewsQueryOptions(parkId, order).queryKey),
  parkKeys.status(parkId),
  peopleKeys.reviews(getSession().userId ?? ''),
];
