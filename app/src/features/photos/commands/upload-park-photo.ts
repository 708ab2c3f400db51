// Gives a photo to a park: made ready on the device, uploaded, and shown to others once a moderator approved it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { prepareImage } from '#/platform/images/prepare-image.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { sendOrQueue } from '#/offline/command-queue/send-or-queue.ts';
import { newUuid } from '#/core/uuid.ts';

interface UploadParkPhoto {
  parkId: number;
  file: File;
  /** Called with 0 to 1. */
  onProgress?: (share: number) => void;
}

/**
 * 'queued' without a network.
 * @throws {UnreadableImageError} @throws {AppError} status 413: too large
 */
export async function uploadParkPhoto({
  parkId,
  file,
  onProgress,
}: UploadParkPhoto): Promise<'done' | 'queued'> {
  const image = await prepareImage(file);
  const path = `${String(parkId)}/other/${image.name}`;
  const args = { bucket: 'parks', path, alone: false };
  return sendOrQueue({ id: newUuid(), deed: 'park_photo', args, bytes: image.blob }, async () => {
    // Most visits of a park upload nothing.
    const { uploadImage } = await import('#/data/photos/upload-image.ts');
    await uploadImage({
      bucket: 'parks',
      path,
      blob: image.blob,
      ...(onProgress && { onProgress }),
    });
    return 'done' as const;
  });
}

export function useUploadParkPhoto() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: uploadParkPhoto,
    onSuccess: (_outcome, { parkId }) =>
      queryClient.invalidateQueries({ queryKey: parkKeys.park(parkId) }),
  });
}
