// Lists the dated archives in the backup folder and, with BACKUP_S3, in the bucket.
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '#/host/lib/start-error.ts';
import type { Settings } from '#/product/settings.ts';

/** Pattern of archive names, which sort by time. */
const DATED = /^packpark-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)\.tar\.gz$/;
/** Prefix of the name of an archive that is in the bucket. */
export const IN_BUCKET = 's3:';

/** Archives in a folder, oldest first. */
export const datedIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch((): string[] => [])).filter((name) => DATED.test(name)).sort();

export async function bucketOf(settings: Settings) {
  if (settings.S3_BUCKET === undefined)
    throw new StartError('S3_BUCKET is not set: there is no bucket for backups.');
  const { createS3Folder } = await import('#/host/storage/s3-files.ts');
  const files = createS3Folder(settings, 'backups/');
  const dated = async () => (await files.list()).filter(({ name }) => DATED.test(name));
  return { ...files, dated, names: async () => (await dated()).map(({ name }) => name) };
}

interface StoredBackup {
  name: string;
  bytes: number;
  made: string;
  /** The places that contain the archive: the data folder, the bucket or both. */
  places: ('disk' | 's3')[];
}

/**
 * Lists all archives, newest first. Archives in the bucket are omitted while the bucket is unreachable.
 * @param folder may be missing
 */
export async function listBackups(settings: Settings, folder: string): Promise<StoredBackup[]> {
  const found = new Map<string, StoredBackup>();
  const add = (name: string, bytes: number, place: 'disk' | 's3') => {
    const made = name.replace(DATED, '$1-$2-$3T$4:$5:$6Z');
    const known = found.get(name) ?? { name, bytes, made, places: [] };
    found.set(name, { ...known, places: [...known.places, place] });
  };
  for (const name of await datedIn(folder))
    add(name, (await stat(path.join(folder, name))).size, 'disk');
  if (settings.BACKUP_S3) {
    const bucket = await bucketOf(settings);
    for (const { name, bytes } of await bucket.dated().catch(() => [])) add(name, bytes, 's3');
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? 1 : -1));
}

/**
 * Returns the newest archive; with BACKUP_S3, the newest in the bucket.
 * @throws StartError if there is none
 */
export async function newestArchive(settings: Settings, home: string): Promise<string> {
  const folder = path.join(home, 'backups');
  const names = settings.BACKUP_S3
    ? await (await bucketOf(settings)).names()
    : await datedIn(folder);
  const newest = names.at(-1);
  if (newest === undefined)
    throw new StartError(
      `There is no backup in ${settings.BACKUP_S3 ? `the bucket "${settings.S3_BUCKET}"` : folder}: make one with "npx packpark backup".`,
    );
  return settings.BACKUP_S3 ? IN_BUCKET + newest : path.join(folder, newest);
}
