// Gives a photo to where the person saw a lost dog; only its people see it.
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';
import { holdUnsaved } from '#/core/unsaved.ts';
import { newUuid } from '#/core/uuid.ts';
import { preparePhoto } from '#/data/photos/prepare-photo.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { runCommand } from '#/offline/command-queue/run-command.ts';

/** The object's path in its bucket, which begins with the sighting's id. */
const photoInput = v.object({ path: v.string() });

export const command = defineCommand<v.InferOutput<typeof photoInput>, 'done'>({
  name: 'sighting_photo',
  input: photoInput,
  hasFile: true,
  async send({ path }, { userId, file }) {
    const { uploadImage } = await import('#/data/photos/upload-image.ts');
    await uploadImage({ bucket: 'sightings', path, blob: file(), giver: userId });
    return 'done';
  },
  changes: () => [],
});

interface SightingPhoto {
  id: string;
  file: File;
}

/** 'queued' without a network. @throws {AppError} status 413: too large, 415: no picture */
async function sendSightingPhoto({ id, file }: SightingPhoto) {
  const image = await preparePhoto(file);
  const input = { path: `${id}/${image.name}` };
  return runCommand(command, input, { key: newUuid(), file: image.blob });
}

export const useSightingPhoto = () =>
  useMutation({
    mutationFn: (photo: SightingPhoto) => sendSightingPhoto(photo).finally(holdUnsaved()),
  });
