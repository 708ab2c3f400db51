// Adds a photo of a visit to the page of a dog; only friends of its owner see it.
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';
import { sendPhoto, type SentPhoto } from '#/entities/photos/send-photo.ts';
import { visitPhotosKey } from '#/features/visit-photos/queries/visit-photos.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';

const photoInput = v.object({ dogId: v.string(), visitId: v.string() });

export const command = defineCommand<v.InferOutput<typeof photoInput>, 'done'>({
  name: 'visit_photo',
  input: photoInput,
  async send({ dogId, visitId }, { client, request, userId, file }) {
    // A repeated call returns the same name.
    const path = await request<string>(
      client.rpc('add_visit_photo', { p_visit_id: visitId, p_dog_id: dogId }),
    );
    const { uploadImage } = await import('#/entities/photos/upload-image.ts');
    await uploadImage({ bucket: 'visit-photos', path, blob: file(), contributor: userId });
    return 'done';
  },
  invalidates: ({ dogId }) => [visitPhotosKey(dogId)],
});

interface UploadVisitPhoto extends SentPhoto {
  dogId: string;
  visitId: string;
}

export const useUploadVisitPhoto = () =>
  useMutation({
    mutationFn: ({ dogId, visitId, ...photo }: UploadVisitPhoto) =>
      sendPhoto(command, photo, () => ({ dogId, visitId })),
  });
