// Files of a dog's photos, in the users bucket under {ownerId}/dogs/{dogId}/: one primary photo and additional ones.
import { userKeys } from '#/entities/users/user-keys.ts';
import { request } from '#/data/request.ts';
import { supabase } from '#/data/supabase.ts';
import { toAppError } from '#/i18n/errors.ts';

export interface DogPlace {
  ownerId: string;
  dogId: string;
}

export const DOG_PHOTO_BUCKET = 'users';
/** Prefix of the file name of a primary photo. */
export const PRIMARY = 'primary-';

export const folderOf = ({ ownerId, dogId }: DogPlace, type: 'primary' | 'other') =>
  `${ownerId}/dogs/${dogId}/${type}`;

export function placeOf(path: string): DogPlace {
  const [ownerId = '', , dogId = ''] = path.split('/');
  return { ownerId, dogId };
}

/** Returns the keys of the queries that show a photo of the dog. */
export const answersWithPhoto = ({ ownerId, dogId }: DogPlace) => [
  userKeys.dogPhotos(dogId),
  userKeys.dog(dogId),
  userKeys.dogs(ownerId),
  userKeys.page(ownerId),
];

/** Returns the paths of the files in a folder, newest first. @throws {AppError} */
export async function listFolder(folder: string): Promise<string[]> {
  const newestFirst = { limit: 100, sortBy: { column: 'updated_at', order: 'desc' } };
  const files = await request(({ storage }) =>
    storage.from(DOG_PHOTO_BUCKET).list(folder, newestFirst),
  );
  return files.filter((entry) => entry.id !== null).map((entry) => `${folder}/${entry.name}`);
}

/** @returns false if the file did not exist @throws {AppError} */
export const removeFile = async (path: string): Promise<boolean> =>
  (await request(({ storage }) => storage.from(DOG_PHOTO_BUCKET).remove([path]))).length > 0;

/**
 * Does nothing if the file no longer exists.
 * @throws {AppError}
 */
export async function moveFile(from: string, to: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.storage.from(DOG_PHOTO_BUCKET).move(from, to);
  // All storage errors have HTTP status 400, as on the platform.
  if (error && error.statusCode !== '404') throw toAppError(error);
}

/**
 * Keeps one photo in the folder `primary` and moves the others to the additional photos. Two devices may do this at the same time,
 * so the server's order decides which photo stays. @throws {AppError}
 */
export async function leaveOnePrimary(place: DogPlace): Promise<void> {
  // List the primary photos first, so that photos uploaded after this moment are not moved.
  const primaries = await listFolder(folderOf(place, 'primary'));
  if (primaries.length < 2) return;
  const dog = await request((client) =>
    client.from('dogs').select('photo').eq('id', place.dogId).maybeSingle(),
  );
  if (!dog?.photo) return;
  for (const path of primaries)
    if (path !== dog.photo)
      await moveFile(path, path.replace('/primary/', '/other/').replace(PRIMARY, ''));
}
