// Reports a photo of a park to the moderators; one report per person and photo.
import type { ReportReason } from '#/data/reports/report-sheet.tsx';
import { ask } from '#/data/ask.ts';

/** @param path the object's path in the bucket parks. @throws {AppError} */
export const reportPhoto = (path: string, reason: ReportReason) =>
  ask((client) => client.rpc('report_photo', { p_path: path, p_reason: reason }));
