// Downloads everything the server stores about the user as a zip file with JSON and photos, and this device's diary.
import { toAppError } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';
import { readDiary } from '#/entities/diary/diary.ts';
import { saveBlob } from '#/platform/save-file.ts';

export async function exportData(userId: string): Promise<void> {
  const client = await supabase();
  const { data, error } = await client.functions.invoke<Blob>('export-my-data');
  if (error || !data) throw toAppError(error);
  saveBlob(await withDiary(data, userId), 'packpark-my-data.zip');
}

async function withDiary(archive: Blob, userId: string): Promise<Blob> {
  const { visits, met } = await readDiary(userId);
  if (visits.length === 0) return archive;
  const { strToU8, unzipSync, zipSync } = await import('fflate');
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  const diary = strToU8(JSON.stringify({ visits, met }, null, 2));
  // Photos are already compressed, so the zip file is not compressed.
  const zip = zipSync({ ...files, 'diary.json': diary }, { level: 0 });
  return new Blob([zip], { type: 'application/zip' });
}
