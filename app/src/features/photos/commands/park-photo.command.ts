// Adds a photo to a park. The photo is resized on the device, uploaded, and shown to others once a moderator approves it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import {
  parkPhotoPath,
  sendPhoto,
  type SentPhoto,
  uploadPendingPhoto,
} from '#/entities/photos/send-photo.ts';
import { invalidateAll } from '#/data/invalidate-all.ts';

const photoInput = v.object({
  parkId: v.number(),
  /** The photo's path in its bucket. */
  path: v.string(),
});

export const command = defineCommand<v.InferOutput<typeof photoInput>, 'done'>({
  name: 'park_photo',
  input: photoInput,
  async send({ path }, sender) {
    await uploadPendingPhoto(path, sender);
    return 'done';
  },
  invalidates: ({ parkId }) => [parkKeys.park(parkId)],
});

interface UploadParkPhoto extends SentPhoto {
  parkId: number;
}

export function useUploadParkPhoto() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ parkId, ...photo }: UploadParkPhoto) =>
      sendPhoto(command, photo, (name) => ({ parkId, path: parkPhotoPath(parkId, name) })),
    onSuccess: (_outcome, { parkId }) => invalidateAll(queryClient, [parkKeys.park(parkId)]),
  });
}
