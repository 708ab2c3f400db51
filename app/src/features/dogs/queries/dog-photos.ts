// The photos of a dog: one primary and others.
import { queryOptions } from '@tanstack/react-query';
import { peopleKeys } from '#/data/people-keys.ts';
import { type DogPlace, folderOf, listFolder } from '#/features/dogs/commands/dog-photo-files.ts';

export interface DogPhotos {
  /** Object paths in bucket users. */
  primary: string | null;
  others: string[];
}

/** @throws {AppError} */
async function fetchDogPhotos(place: DogPlace): Promise<DogPhotos> {
  const [primary, others] = await Promise.all([
    listFolder(folderOf(place, 'primary')),
    listFolder(folderOf(place, 'other')),
  ]);
  return { primary: primary[0] ?? null, others };
}

export const dogPhotosQueryOptions = (place: DogPlace) =>
  queryOptions({
    queryKey: peopleKeys.dogPhotos(place.dogId),
    queryFn: () => fetchDogPhotos(place),
  });
