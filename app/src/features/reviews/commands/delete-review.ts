// Removes my review.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reviewsKeys } from '#/features/reviews/reviews-keys.ts';
import { renewEverywhere } from '#/data/own-tabs.ts';
import { ask } from '#/data/ask.ts';

const deleteReview = (reviewId: string) =>
  ask((client) => client.rpc('delete_review', { p_review_id: reviewId }));

export function useDeleteReview(parkId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: deleteReview,
    onSuccess: () => renewEverywhere(queryClient, reviewsKeys(parkId)),
  });
}
