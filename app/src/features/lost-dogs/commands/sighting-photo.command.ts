// Gives a photo to where the person saw a lost dog; only its people see it.
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';
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

/** 'queued' without a network. @throws {AppError} status 413: too large, 415: no picture */
export const useSightingPhoto = () =>
  useMutation({
    mutationFn: async ({ id, file }: { id: string; file: File }) => {
      const image = await preparePhoto(file);
      return runCommand(
        command,
        { path: `${id}/${image.name}` },
        { key: newUuid(), file: image.blob },
      );
    },
  });
