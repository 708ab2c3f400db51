// Prepares a photo of a dog on the device and uploads it.
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
  /** Path of the photo that the new one replaces. It is removed after the upload. */
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
    // If another device has set a primary photo in the meantime, keep both. One of them becomes an additional photo.
    if (path.includes('/primary/')) await leaveOnePrimary(placeOf(path));
    return 'done';
  },
  invalidates: ({ path }) => answersWithPhoto(placeOf(path)),
});

interface UploadDogPhoto extends DogPlace, SentPhoto {
  primary: boolean;
  /** Path of the photo that the user replaces. */
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
