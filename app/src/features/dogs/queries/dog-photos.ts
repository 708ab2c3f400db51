// The photos of a dog: one primary and others.
import { queryOptions } from '@tanstack/react-query';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { type DogPlace, folderOf, listFolder } from '#/features/dogs/commands/dog-photo-files.ts';

/** Object paths in bucket users. */
export const dogPhotosQueryOptions = (place: DogPlace) =>
  queryOptions({
    queryKey: peopleKeys.dogPhotos(place.dogId),
    queryFn: async () => {
      const [[primary = null, ...before], others] = await Promise.all([
        listFolder(folderOf(place, 'primary')),
        listFolder(folderOf(place, 'other')),
      ]);
      // If the network failed before the previous primary photo was moved, it counts as another photo.
      return { primary, others: [...before, ...others] };
    },
  });
