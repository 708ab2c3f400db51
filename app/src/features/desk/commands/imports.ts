// Administrators import parks from a file, which the host reads, and undo imports.
import type { AppError } from '#/core/app-error.ts';
import { requestJson } from '#/data/request.ts';
import { askHost } from '#/features/desk/queries/desk.ts';
import type { Failure } from '#/i18n/errors.ts';
import type { ImportReport, ImportRequest } from '../../../../../shared/import-report.ts';

/** Thrown if the host cannot read the file. The message is in English, as in the operators' command. */
export class UnreadableFileError extends Error {}

/** @throws UnreadableFileError, AppError */
export async function importParks(file: File, options: ImportRequest): Promise<ImportReport> {
  const body = new FormData();
  body.set('metadata', JSON.stringify(options));
  body.set('file', file);
  try {
    const response = await askHost('/park-imports', { method: 'POST', body });
    return (await response.json()) as ImportReport;
  } catch (error) {
    const { status, message } = ((error as AppError).cause ?? {}) as Failure;
    throw status === 422 ? new UnreadableFileError(message) : error;
  }
}

/** @returns the numbers of removed and restored parks; null if there is nothing to undo */
export const undoImport = (id: string) =>
  requestJson<{ removed: number; restored: number; kept: number } | null>((client) =>
    client.rpc('desk_undo_import', { p_import_id: id }),
  );
