// Reports a review to the moderators. Each user can report a review once.
import { request } from '#/data/request.ts';
import type { ReportReason } from '../../../../../shared/enums.ts';

export const reportReview = (reviewId: string, reason: ReportReason) =>
  request((client) => client.rpc('report_review', { p_review_id: reviewId, p_reason: reason }));
