// Reports a photo of a park to the moderators; one report per person and photo.
import { useMutation } from '@tanstack/react-query';
import type { ReportReason } from '#/data/report-reasons.ts';
import { unwrap } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

interface PhotoReport {
  /** The object's path in the bucket parks. */
  path: string;
  reason: ReportReason;
}

/** @throws {AppError} */
export async function reportPhoto({ path, reason }: PhotoReport): Promise<void> {
  const client = await supabase();
  unwrap(await client.rpc('report_photo', { p_path: path, p_reason: reason }));
}

export const useReportPhoto = () => useMutation({ mutationFn: reportPhoto });
