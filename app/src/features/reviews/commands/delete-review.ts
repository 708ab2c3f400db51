// Removes my review.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshReviews } from '#/features/reviews/commands/save-review.ts';
import { unwrap } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

/** @throws {AppError} */
export async function deleteReview(reviewId: string): Promise<void> {
  const client = await supabase();
  unwrap(await client.rpc('delete_review', { p_review_id: reviewId }));
}

export function useDeleteReview(parkId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: deleteReview,
    onSuccess: () => refreshReviews(queryClient, parkId),
  });
}
