// Where the photos of a dog lie: files in bucket users under {ownerId}/dogs/{dogId}/, one primary and others.
import { peopleKeys } from '#/data/people-keys.ts';
import { supabase } from '#/data/supabase.ts';
import { toAppError } from '#/i18n/errors.ts';

export interface DogPlace {
  ownerId: string;
  dogId: string;
}

export const DOG_PHOTO_BUCKET = 'users';
/** The name of a primary file begins with this. */
export const PRIMARY = 'primary-';

export const folderOf = ({ ownerId, dogId }: DogPlace, kind: 'primary' | 'other') =>
  `${ownerId}/dogs/${dogId}/${kind}`;

export const isPrimary = (path: string) => path.includes('/primary/');

/** The answers that show a photo, by its path. */
export function answersWithPhoto(path: string): readonly (readonly string[])[] {
  const [ownerId = '', , dogId = ''] = path.split('/');
  return [
    peopleKeys.dogPhotos(dogId),
    peopleKeys.dog(dogId),
    peopleKeys.dogs(ownerId),
    peopleKeys.page(ownerId),
  ];
}

/** The files of a folder by their paths, newest first. @throws {AppError} */
export async function listFolder(folder: string): Promise<string[]> {
  const client = await supabase();
  const { data, error } = await client.storage
    .from(DOG_PHOTO_BUCKET)
    .list(folder, { limit: 100, sortBy: { column: 'created_at', order: 'desc' } });
  if (error) throw toAppError(error);
  return data.filter((entry) => entry.id !== null).map((entry) => `${folder}/${entry.name}`);
}

/** @returns how many of them were there @throws {AppError} */
export async function removeFiles(paths: string[]): Promise<number> {
  if (paths.length === 0) return 0;
  const client = await supabase();
  const { data, error } = await client.storage.from(DOG_PHOTO_BUCKET).remove(paths);
  if (error) throw toAppError(error);
  return data.length;
}

/** The other files of its folder. @throws {AppError} */
export async function siblingsOf(path: string): Promise<string[]> {
  const files = await listFolder(path.slice(0, path.lastIndexOf('/')));
  return files.filter((each) => each !== path);
}

/** @throws {AppError} */
export async function moveFile(from: string, to: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.storage.from(DOG_PHOTO_BUCKET).move(from, to);
  if (error) throw toAppError(error);
}

/** Moves photos that were primary to the others. @throws {AppError} */
export async function setAside(primaries: readonly string[]): Promise<void> {
  for (const path of primaries)
    await moveFile(path, path.replace('/primary/', '/other/').replace(PRIMARY, ''));
}
