// Reports a review to the moderators; one report per person and review.
import type { ReportReason } from '#/data/reports/report-reasons.ts';
import { unwrap } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

export async function reportReview(reviewId: string, reason: ReportReason): Promise<void> {
  const client = await supabase();
  unwrap(await client.rpc('report_review', { p_review_id: reviewId, p_reason: reason }));
}
