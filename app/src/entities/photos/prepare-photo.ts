// Makes a chosen photo ready for its upload.
import { AppError } from '#/core/app-error.ts';
import { UnreadableImageError } from '#/platform/images/encode-image.ts';
import { type PreparedImage, prepareImage } from '#/platform/images/prepare-image.ts';

/** Photos of iPhones, which only some browsers read. */
const isHeic = ({ name, type }: File): boolean =>
  /\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type);

/** The message for a photo that this browser cannot read. */
export const unreadableMessage = (file: File): 'ui.photo.heic' | 'ui.photo.unreadable' =>
  isHeic(file) ? 'ui.photo.heic' : 'ui.photo.unreadable';

/** @throws {AppError} 415 where this browser reads no picture in it; what else goes wrong is no fault of the file */
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
