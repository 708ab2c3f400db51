// Adds a photo of a dog: prepared on the device and uploaded.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import {
  answersWithPhoto,
  DOG_PHOTO_BUCKET,
  type DogPlace,
  folderOf,
  PRIMARY,
  leaveOnePrimary,
  placeOf,
  removeFile,
} from '#/features/dogs/commands/dog-photo-files.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { sendPhoto, type SentPhoto } from '#/entities/photos/send-photo.ts';
import { invalidateAll } from '#/data/invalidate-all.ts';

const photoInput = v.object({
  path: v.string(),
  /** The path of the photo that it replaces and that is then removed. */
  replaces: v.optional(v.string()),
});

export const command = defineCommand<v.InferOutput<typeof photoInput>, 'done'>({
  name: 'dog_photo',
  input: photoInput,
  async send({ path, replaces }, { userId, file, onProgress }) {
    const { uploadImage } = await import('#/entities/photos/upload-image.ts');
    await uploadImage({
      bucket: DOG_PHOTO_BUCKET,
      path,
      blob: file(),
      contributor: userId,
      onProgress,
    });
    if (replaces !== undefined) await removeFile(replaces);
    // If another device has set a primary photo meanwhile, keep both: one of them moves to the other photos.
    if (path.includes('/primary/')) await leaveOnePrimary(placeOf(path));
    return 'done';
  },
  invalidates: ({ path }) => answersWithPhoto(placeOf(path)),
});

interface UploadDogPhoto extends DogPlace, SentPhoto {
  primary: boolean;
  /** The path of the photo that the user saw and replaces. */
  replaces?: string | undefined;
}

export function useUploadDogPhoto() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ primary, replaces, ...photo }: UploadDogPhoto) =>
      sendPhoto(command, photo, (name) => ({
        path: `${folderOf(photo, primary ? 'primary' : 'other')}/${primary ? PRIMARY : ''}${name}`,
        replaces,
      })),
    onSettled: (_outcome, _error, place) => invalidateAll(queryClient, answersWithPhoto(place)),
  });
}
