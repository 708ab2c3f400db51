// Reports a review to the moderators; one report per person and review.
import type { ReportReason } from '#/data/reports/report-sheet.tsx';
import { ask } from '#/data/ask.ts';

export const reportReview = (reviewId: string, reason: ReportReason) =>
  ask((client) => client.rpc('report_review', { p_review_id: reviewId, p_reason: reason }));
