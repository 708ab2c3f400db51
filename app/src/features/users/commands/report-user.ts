// Reports a person to the moderators; one open report for each reason.
import { ask } from '#/data/ask.ts';

export const USER_REPORT_REASONS = [
  'spam',
  'inappropriate',
  'fake',
  'personal_information',
] as const;
export type UserReportReason = (typeof USER_REPORT_REASONS)[number];

export const reportUser = (userId: string, reason: UserReportReason, note: string) =>
  ask((client) =>
    client.rpc('report_user', { p_user_id: userId, p_reason: reason, p_note: note.trim() }),
  );
