// Prepares a chosen photo for upload.
import { AppError } from '#/core/app-error.ts';
import { UnreadableImageError } from '#/platform/images/encode-image.ts';
import { type PreparedImage, prepareImage } from '#/platform/images/prepare-image.ts';

/** Photos from iPhones, which only some browsers can decode. */
const isHeic = ({ name, type }: File): boolean =>
  /\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type);

/** Returns the message for a photo that this browser cannot decode. */
export const unreadableMessage = (file: File): 'ui.photo.heic' | 'ui.photo.unreadable' =>
  isHeic(file) ? 'ui.photo.heic' : 'ui.photo.unreadable';

/** @throws {AppError} 415 if this browser cannot decode it; other errors are not caused by the file */
export async function preparePhoto(
  file: File,
  options?: Parameters<typeof prepareImage>[1],
): Promise<PreparedImage> {
  try {
    return await prepareImage(file, options);
  } catch (error) {
    if (error instanceof UnreadableImageError)
      throw new AppError(unreadableMessage(file), 415, {
        cause: error,
      });
    throw error;
  }
}
