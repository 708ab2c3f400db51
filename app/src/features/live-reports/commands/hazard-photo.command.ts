// Adds a photo to a hazard that the user reported. It is uploaded like other park photos and shown once a moderator approves it.
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';
import { AppError } from '#/core/app-error.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import {
  parkPhotoPath,
  sendPhoto,
  type SentPhoto,
  uploadPendingPhoto,
} from '#/entities/photos/send-photo.ts';

const photoInput = v.object({
  reportId: v.string(),
  parkId: v.number(),
  /** The photo's path in its bucket. */
  path: v.string(),
});

export const command = defineCommand<v.InferOutput<typeof photoInput>, 'done'>({
  name: 'hazard_photo',
  input: photoInput,
  async send({ reportId, path }, sender) {
    await uploadPendingPhoto(path, sender);
    const isAdded = await sender.request<boolean>(
      sender.client.rpc('add_hazard_photo', { p_report_id: reportId, p_path: path }),
    );
    if (!isAdded) throw new AppError('liveReports.hazards.over', 409);
    return 'done';
  },
  invalidates: ({ parkId }) => [parkKeys.status(parkId)],
});

interface UploadHazardPhoto extends SentPhoto {
  reportId: string;
  parkId: number;
}

export const useUploadHazardPhoto = () =>
  useMutation({
    mutationFn: ({ reportId, parkId, ...photo }: UploadHazardPhoto) =>
      sendPhoto(command, photo, (name) => ({
        reportId,
        parkId,
        path: parkPhotoPath(parkId, name),
      })),
  });
