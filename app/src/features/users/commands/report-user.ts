// Reports a user to the moderators. Each reporter can have one open report per reason.
import { request } from '#/data/request.ts';
import { REPORT_REASONS, type ReportReason } from '../../../../../shared/enums.ts';

/** Misinformation is a reason to report a post, but not a user. */
export const USER_REPORT_REASONS = REPORT_REASONS.filter((reason) => reason !== 'misinformation');

export const reportUser = (userId: string, reason: ReportReason, note: string) =>
  request((client) =>
    client.rpc('report_user', { p_user_id: userId, p_reason: reason, p_note: note.trim() }),
  );
