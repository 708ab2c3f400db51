// The photos of a dog: one primary and others.
import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { type DogPlace, folderOf, listFolder } from '#/features/dogs/commands/dog-photo-files.ts';

/** Object paths in bucket users. */
export const dogPhotosQueryOptions = (place: DogPlace) =>
  queryOptions({
    queryKey: userKeys.dogPhotos(place.dogId),
    queryFn: async () => {
      const [[primary = null, ...before], others] = await Promise.all([
        listFolder(folderOf(place, 'primary')),
        listFolder(folderOf(place, 'other')),
      ]);
      // A previous primary photo that was not moved, because the network failed, counts as one of the others.
      return { primary, others: [...before, ...others] };
    },
  });
