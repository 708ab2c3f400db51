// The reviews tab of a user's page.
import { getRouteApi } from '@tanstack/react-router';
import { useSuspenseQuery } from '@tanstack/react-query';
import { userReviewsQueryOptions } from '#/features/users/queries/user-reviews.ts';
import { UserReviewList } from '#/features/users/components/user-review-list.tsx';

const route = getRouteApi('/profile/$id/_tabs/reviews');

export function ReviewsTab() {
  const { id } = route.useParams();
  const { userId } = route.useRouteContext();
  const { data } = useSuspenseQuery(userReviewsQueryOptions(id, id === userId));
  return <UserReviewList reviews={data} />;
}
