// Adds a photo of a dog: made ready on the device and uploaded.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import type { Area } from '#/core/images/crop.ts';
import { holdUnsaved } from '#/core/unsaved.ts';
import { newUuid } from '#/core/uuid.ts';
import { preparePhoto } from '#/data/photos/prepare-photo.ts';
import { uploadImage } from '#/data/photos/upload-image.ts';
import {
  answersWithPhoto,
  DOG_PHOTO_BUCKET,
  type DogPlace,
  folderOf,
  PRIMARY,
  isPrimary,
  leaveOnePrimary,
  placeOf,
  removeFiles,
} from '#/features/dogs/commands/dog-photo-files.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { runCommand } from '#/offline/command-queue/run-command.ts';
import { invalidateAll } from '#/data/invalidate-all.ts';

const photoInput = v.object({
  path: v.string(),
  /** The path of the photo whose place it takes, which is removed. */
  replaces: v.optional(v.string()),
});

export const command = defineCommand<v.InferOutput<typeof photoInput>, 'done'>({
  name: 'dog_photo',
  input: photoInput,
  hasFile: true,
  async send({ path, replaces }, { userId, file, onProgress }) {
    await uploadImage({ bucket: DOG_PHOTO_BUCKET, path, blob: file(), giver: userId, onProgress });
    if (replaces !== undefined) await removeFiles([replaces]);
    // What another device made the primary photo meanwhile is not replaced: one of the two stays as another photo.
    if (isPrimary(path)) await leaveOnePrimary(placeOf(path));
    return 'done';
  },
  changes: ({ path }) => answersWithPhoto(path),
});

interface UploadDogPhoto extends DogPlace {
  file: File;
  /** The part of the picture that is kept. */
  area?: Area;
  primary: boolean;
  /** The path of the photo that the person saw, and whose place it takes. */
  replaces?: string | undefined;
  onProgress?: (share: number) => void;
}

/** 'queued' without a network. @throws {AppError} status 413: too large, 415: no picture */
async function uploadDogPhoto({
  file,
  area,
  primary,
  replaces,
  onProgress,
  ...place
}: UploadDogPhoto) {
  const image = await preparePhoto(file, area && { area });
  const name = `${primary ? PRIMARY : ''}${image.name}`;
  const input = { path: `${folderOf(place, primary ? 'primary' : 'other')}/${name}`, replaces };
  // Names are never used twice, so that each try of a person is a command of its own.
  return runCommand(command, input, { key: newUuid(), file: image.blob, onProgress });
}

export function useUploadDogPhoto() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (photo: UploadDogPhoto) => uploadDogPhoto(photo).finally(holdUnsaved()),
    onSettled: (_outcome, _error, place) =>
      invalidateAll(queryClient, answersWithPhoto(folderOf(place, 'primary'))),
  });
}
