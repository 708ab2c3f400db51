// Reports a photo of a park to the moderators; one report per person and photo.
import type { ReportReason } from '#/data/reports/report-reasons.ts';
import { unwrap } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

/** @param path the object's path in the bucket parks. @throws {AppError} */
export async function reportPhoto(path: string, reason: ReportReason): Promise<void> {
  const client = await supabase();
  unwrap(await client.rpc('report_photo', { p_path: path, p_reason: reason }));
}
