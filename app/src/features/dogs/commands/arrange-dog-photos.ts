// Makes one of a dog's photos the primary one, or removes one.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateAll } from '#/data/invalidate-all.ts';
import {
  answersWithPhoto,
  type DogPlace,
  folderOf,
  leaveOnePrimary,
  moveFile,
  PRIMARY,
  removeFile,
} from '#/features/dogs/commands/dog-photo-files.ts';
import { AppError } from '#/core/app-error.ts';

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

interface OnePhoto extends DogPlace {
  path: string;
}

/**
 * Makes another photo the primary one, and the previous one an additional photo. The new one is moved first, so the dog always has
 * a primary photo. A failure is only logged, because refetching shows the actual state.
 */
async function makePrimary({ path, ...place }: OnePhoto): Promise<void> {
  try {
    await moveFile(path, `${folderOf(place, 'primary')}/${PRIMARY}${nameOf(path)}`);
    await leaveOnePrimary(place);
  } catch (error) {
    console.warn('The photos could not be swapped:', error);
  }
}

/** @throws {AppError} 404 if the photo no longer exists */
async function removePhoto({ path }: OnePhoto): Promise<void> {
  if (!(await removeFile(path))) throw new AppError('errors.generic', 404);
}

function useArrange(change: (photo: OnePhoto) => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: (_data, _error, place) => invalidateAll(queryClient, answersWithPhoto(place)),
  });
}

export const useMakePrimary = () => useArrange(makePrimary);
export const useRemoveDogPhoto = () => useArrange(removePhoto);
