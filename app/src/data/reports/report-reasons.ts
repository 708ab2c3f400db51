// Why people report what others posted.
export const REPORT_REASONS = [
  'spam',
  'inappropriate',
  'misinformation',
  'fake',
  'personal_information',
] as const;

export type ReportReason = (typeof REPORT_REASONS)[number];
