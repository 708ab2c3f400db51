// Removes my review.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reviewsKeys } from '#/features/reviews/reviews-keys.ts';
import { unwrap } from '#/i18n/errors.ts';
import { renewEverywhere } from '#/data/own-tabs.ts';
import { supabase } from '#/data/supabase.ts';

async function deleteReview(reviewId: string): Promise<void> {
  const client = await supabase();
  unwrap(await client.rpc('delete_review', { p_review_id: reviewId }));
}

export function useDeleteReview(parkId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: deleteReview,
    onSuccess: () => renewEverywhere(queryClient, reviewsKeys(parkId)),
  });
}
