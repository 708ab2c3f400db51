// Everything the server keeps about me, as a zip with JSON and photos, saved by the browser.
import { toAppError } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

/** @throws {AppError} */
export async function exportData(): Promise<void> {
  const client = await supabase();
  const { data, error } = await client.functions.invoke<Blob>('export-my-data');
  if (error || !data) throw toAppError(error);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(data);
  link.download = 'packpark-my-data.zip';
  link.click();
  URL.revokeObjectURL(link.href);
}
