// What is stale once a park's reviews changed.
import { parkKeys } from '#/data/park-keys.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { getSession } from '#/data/session/session.ts';

export const reviewsKeys = (parkId: number) => [
  parkKeys.reviews(parkId),
  parkKeys.status(parkId),
  parkKeys.live,
  peopleKeys.reviews(getSession().userId ?? ''),
];
