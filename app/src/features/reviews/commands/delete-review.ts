// Deletes the user's review.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reviewsKeys } from '#/features/reviews/reviews-keys.ts';
import { invalidateInAllTabs } from '#/data/tab-sync.ts';
import { request } from '#/data/request.ts';

const deleteReview = (reviewId: string) =>
  request((client) => client.rpc('delete_review', { p_review_id: reviewId }));

export function useDeleteReview(parkId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: deleteReview,
    onSuccess: () => invalidateInAllTabs(queryClient, reviewsKeys(parkId)),
  });
}
