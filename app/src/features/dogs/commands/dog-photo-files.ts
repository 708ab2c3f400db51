// Where the photos of a dog lie: files in bucket users under {ownerId}/dogs/{dogId}/, one primary and others.
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { request } from '#/data/request.ts';
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

export function placeOf(path: string): DogPlace {
  const [ownerId = '', , dogId = ''] = path.split('/');
  return { ownerId, dogId };
}

/** The answers that show a photo of the dog. */
export const answersWithPhoto = ({ ownerId, dogId }: DogPlace) => [
  peopleKeys.dogPhotos(dogId),
  peopleKeys.dog(dogId),
  peopleKeys.dogs(ownerId),
  peopleKeys.page(ownerId),
];

/** The files of a folder by their paths, the last to come first. @throws {AppError} */
export async function listFolder(folder: string): Promise<string[]> {
  const newestFirst = { limit: 100, sortBy: { column: 'updated_at', order: 'desc' } };
  const files = await request(({ storage }) =>
    storage.from(DOG_PHOTO_BUCKET).list(folder, newestFirst),
  );
  return files.filter((entry) => entry.id !== null).map((entry) => `${folder}/${entry.name}`);
}

/** @returns whether it was there @throws {AppError} */
export const removeFile = async (path: string): Promise<boolean> =>
  (await request(({ storage }) => storage.from(DOG_PHOTO_BUCKET).remove([path]))).length > 0;

/** Nothing where it is there no more. @throws {AppError} */
export async function moveFile(from: string, to: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.storage.from(DOG_PHOTO_BUCKET).move(from, to);
  // The HTTP status of all refusals is 400, as on the platform.
  if (error && error.statusCode !== '404') throw toAppError(error);
}

/**
 * Leaves one of the photos in the folder `primary`, and moves the rest to the others. Which one is the server's word: devices
 * that do this at once would each set the other's photo aside.
 * @throws {AppError}
 */
export async function leaveOnePrimary(place: DogPlace): Promise<void> {
  // Read first: what comes after it is left alone.
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
