// Reports a review to the moderators; one report per person and review.
import { ask } from '#/data/ask.ts';
import type { ReportReason } from '../../../../../shared/enums.ts';

export const reportReview = (reviewId: string, reason: ReportReason) =>
  ask((client) => client.rpc('report_review', { p_review_id: reviewId, p_reason: reason }));
