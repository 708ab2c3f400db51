// Reports a person to the moderators; one open report for each reason.
import { useMutation } from '@tanstack/react-query';
import { unwrap } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

export const USER_REPORT_REASONS = [
  'spam',
  'inappropriate',
  'fake',
  'personal_information',
] as const;

export const useReportUser = () =>
  useMutation({
    mutationFn: async ({
      userId,
      reason,
      note,
    }: {
      userId: string;
      reason: (typeof USER_REPORT_REASONS)[number];
      note: string;
    }) => {
      const client = await supabase();
      unwrap(
        await client.rpc('report_user', {
          p_user_id: userId,
          p_reason: reason,
          p_note: note.trim(),
        }),
      );
    },
  });
