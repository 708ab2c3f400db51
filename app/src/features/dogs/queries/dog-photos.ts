import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { type DogPlace, folderOf, listFolder } from '#/features/dogs/commands/dog-photo-files.ts';

/** Paths of a dog's photos in the users bucket. */
export const dogPhotosQueryOptions = (place: DogPlace) =>
  queryOptions({
    queryKey: userKeys.dogPhotos(place.dogId),
    queryFn: async () => {
      const [[primary = null, ...before], others] = await Promise.all([
        listFolder(folderOf(place, 'primary')),
        listFolder(folderOf(place, 'other')),
      ]);
      // If moving a previous primary photo failed, it counts as one of the others.
      return { primary, others: [...before, ...others] };
    },
  });
