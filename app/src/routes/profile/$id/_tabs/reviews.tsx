// /profile/{id}/reviews: the reviews tab of a user's page.
import { createFileRoute } from '@tanstack/react-router';
import { userReviewsQueryOptions } from '#/features/users/queries/user-reviews.ts';
import { loadOrOffline } from '#/data/load-or-offline.ts';
import { ReviewsTab } from '#/screens/profile/reviews-tab.tsx';

export const Route = createFileRoute('/profile/$id/_tabs/reviews')({
  loader: ({ context, params }) =>
    loadOrOffline(
      context.queryClient,
      userReviewsQueryOptions(params.id, params.id === context.userId),
    ),
  component: ReviewsTab,
});
