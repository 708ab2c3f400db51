// Reports a review to the moderators; one report per person and review.
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';
import { REPORT_REASONS } from '#/data/report-reasons.ts';
import { unwrap } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

export const reviewReportInput = v.object({
  reviewId: v.string(),
  reason: v.picklist(REPORT_REASONS, 'reviews.report.reasonMissing'),
});

export type ReviewReportInput = v.InferOutput<typeof reviewReportInput>;

/** @throws {AppError} */
export async function reportReview(values: ReviewReportInput): Promise<void> {
  const { reviewId, reason } = v.parse(reviewReportInput, values);
  const client = await supabase();
  unwrap(await client.rpc('report_review', { p_review_id: reviewId, p_reason: reason }));
}

export function useReportReview() {
  return useMutation({ mutationFn: reportReview });
}
