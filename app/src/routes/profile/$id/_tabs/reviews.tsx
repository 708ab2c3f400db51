// The reviews of a person.
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { userReviewsQueryOptions } from '#/features/users/queries/user-reviews.ts';
import { UserReviewList } from '#/features/users/components/user-review-list.tsx';
import { loadOrOffline } from '#/data/load-or-offline.ts';

export const Route = createFileRoute('/profile/$id/_tabs/reviews')({
  loader: ({ context, params }) =>
    loadOrOffline(
      context.queryClient,
      userReviewsQueryOptions(params.id, params.id === context.userId),
    ),
  component: ReviewsTab,
});

function ReviewsTab() {
  const { id } = Route.useParams();
  const { userId } = Route.useRouteContext();
  const { data } = useSuspenseQuery(userReviewsQueryOptions(id, id === userId));
  return <UserReviewList reviews={data} />;
}
