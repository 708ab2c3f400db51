// Gives a photo to a park: made ready on the device, uploaded, and shown to others once a moderator approved it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { holdUnsaved } from '#/core/unsaved.ts';
import { newUuid } from '#/core/uuid.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { preparePhoto } from '#/data/photos/prepare-photo.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { runCommand } from '#/offline/command-queue/run-command.ts';
import { invalidateAll } from '#/data/invalidate-all.ts';

/** The object's path in its bucket, which begins with the park's id. */
const photoInput = v.object({ path: v.string() });

type PhotoInput = v.InferOutput<typeof photoInput>;

const parkIdOf = ({ path }: PhotoInput) => Number(path.split('/')[0]);

export const command = defineCommand<PhotoInput, 'done'>({
  name: 'park_photo',
  input: photoInput,
  hasFile: true,
  async send({ path }, { userId, file, onProgress }) {
    // Most visits of a park upload nothing.
    const { uploadImage } = await import('#/data/photos/upload-image.ts');
    // Private until a moderator moves it into the public bucket of photos.
    await uploadImage({ bucket: 'pending-photos', path, blob: file(), giver: userId, onProgress });
    return 'done';
  },
  changes: (input) => [parkKeys.park(parkIdOf(input))],
  about: (input) => ({ parkId: parkIdOf(input) }),
});

interface UploadParkPhoto {
  parkId: number;
  file: File;
  onProgress?: (share: number) => void;
}

/** 'queued' without a network. Throws AppError status 413: too large, 415: no picture. */
async function uploadParkPhoto({ parkId, file, onProgress }: UploadParkPhoto) {
  const image = await preparePhoto(file);
  const input = { path: `${String(parkId)}/other/${image.name}` };
  // Names are never used twice, so that each try of a person is a command of its own.
  return runCommand(command, input, { key: newUuid(), file: image.blob, onProgress });
}

export function useUploadParkPhoto() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (photo: UploadParkPhoto) => uploadParkPhoto(photo).finally(holdUnsaved()),
    onSuccess: (_outcome, { parkId }) => invalidateAll(queryClient, [parkKeys.park(parkId)]),
  });
}
