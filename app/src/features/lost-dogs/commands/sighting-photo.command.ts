// Adds a photo to a sighting of a lost dog; only its owners can see it.
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { sendPhoto, type SentPhoto } from '#/entities/photos/send-photo.ts';

/** Path of the photo in its bucket, which starts with the sighting's ID. */
const photoInput = v.object({ path: v.string() });

export const command = defineCommand<v.InferOutput<typeof photoInput>, 'done'>({
  name: 'sighting_photo',
  input: photoInput,
  async send({ path }, { userId, file }) {
    const { uploadImage } = await import('#/entities/photos/upload-image.ts');
    await uploadImage({ bucket: 'sightings', path, blob: file(), contributor: userId });
    return 'done';
  },
  invalidates: () => [],
});

interface SightingPhoto extends SentPhoto {
  /** ID of the sighting. */
  id: string;
}

export const useSightingPhoto = () =>
  useMutation({
    mutationFn: ({ id, ...photo }: SightingPhoto) =>
      sendPhoto(command, photo, (name) => ({ path: `${id}/${name}` })),
  });
