// Reports a person to the moderators; one open report for each reason.
import { useMutation } from '@tanstack/react-query';
import { ask } from '#/data/ask.ts';

export const USER_REPORT_REASONS = [
  'spam',
  'inappropriate',
  'fake',
  'personal_information',
] as const;

interface UserReport {
  userId: string;
  reason: (typeof USER_REPORT_REASONS)[number];
  note: string;
}

export const useReportUser = () =>
  useMutation({
    mutationFn: ({ userId, reason, note }: UserReport) =>
      ask((client) =>
        client.rpc('report_user', { p_user_id: userId, p_reason: reason, p_note: note.trim() }),
      ),
  });
