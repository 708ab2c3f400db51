// Gives a photo to a park: made ready on the device, uploaded, and shown to others once a moderator approved it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { sendPhoto, type SentPhoto } from '#/entities/photos/send-photo.ts';
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
    const { uploadImage } = await import('#/entities/photos/upload-image.ts');
    // Private until a moderator moves it into the public bucket of photos.
    await uploadImage({ bucket: 'pending-photos', path, blob: file(), giver: userId, onProgress });
    return 'done';
  },
  changes: (input) => [parkKeys.park(parkIdOf(input))],
  about: (input) => ({ parkId: parkIdOf(input) }),
});

interface UploadParkPhoto extends SentPhoto {
  parkId: number;
}

export function useUploadParkPhoto() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ parkId, ...photo }: UploadParkPhoto) =>
      sendPhoto(command, photo, (name) => ({ path: `${parkId}/other/${name}` })),
    onSuccess: (_outcome, { parkId }) => invalidateAll(queryClient, [parkKeys.park(parkId)]),
  });
}
