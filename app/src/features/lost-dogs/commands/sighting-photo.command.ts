// Gives a photo to where the person saw a lost dog; only its people see it.
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { sendPhoto, type SentPhoto } from '#/entities/photos/send-photo.ts';

/** The object's path in its bucket, which begins with the sighting's id. */
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
  /** Of the sighting. */
  id: string;
}

export const useSightingPhoto = () =>
  useMutation({
    mutationFn: ({ id, ...photo }: SightingPhoto) =>
      sendPhoto(command, photo, (name) => ({ path: `${id}/${name}` })),
  });
