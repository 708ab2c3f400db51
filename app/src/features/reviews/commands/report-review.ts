// Reports a review to the moderators; one report per user and review.
import { request } from '#/data/request.ts';
import type { ReportReason } from '../../../../../shared/enums.ts';

export const reportReview = (reviewId: string, reason: ReportReason) =>
  request((client) => client.rpc('report_review', { p_review_id: reviewId, p_reason: reason }));
