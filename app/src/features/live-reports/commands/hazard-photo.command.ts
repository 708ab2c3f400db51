// Gives a photo to a hazard that the person reported: uploaded like any photo of a park, and shown once a moderator approved it.
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { sendPhoto, type SentPhoto } from '#/entities/photos/send-photo.ts';

/** The object's path in its bucket, which begins with the park's id. */
const photoInput = v.object({ reportId: v.string(), path: v.string() });

type PhotoInput = v.InferOutput<typeof photoInput>;

const parkIdOf = ({ path }: PhotoInput) => Number(path.split('/')[0]);

export const command = defineCommand<PhotoInput, boolean>({
  name: 'hazard_photo',
  input: photoInput,
  hasFile: true,
  async send({ reportId, path }, { client, ask, userId, file, onProgress }) {
    const { uploadImage } = await import('#/entities/photos/upload-image.ts');
    await uploadImage({ bucket: 'pending-photos', path, blob: file(), giver: userId, onProgress });
    return ask(client.rpc('add_hazard_photo', { p_report_id: reportId, p_path: path }));
  },
  changes: (input) => [parkKeys.status(parkIdOf(input))],
  about: (input) => ({ parkId: parkIdOf(input) }),
  notDone: (added) => (added ? null : 'liveReports.hazards.over'),
});

interface UploadHazardPhoto extends SentPhoto {
  reportId: string;
  parkId: number;
}

/** False where the hazard is over. */
export const useUploadHazardPhoto = () =>
  useMutation({
    mutationFn: ({ reportId, parkId, ...photo }: UploadHazardPhoto) =>
      sendPhoto(command, photo, (name) => ({ reportId, path: `${parkId}/other/${name}` })),
  });
