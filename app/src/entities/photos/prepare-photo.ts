// Makes a chosen photo ready for its upload.
import { AppError } from '#/core/app-error.ts';
import { UnreadableImageError } from '#/platform/images/encode-image.ts';
import { type PreparedImage, prepareImage } from '#/platform/images/prepare-image.ts';

/** @throws {AppError} 415 where this browser reads no picture in it; what else goes wrong is no fault of the file */
export async function preparePhoto(
  file: File,
  options?: Parameters<typeof prepareImage>[1],
): Promise<PreparedImage> {
  try {
    return await prepareImage(file, options);
  } catch (error) {
    if (error instanceof UnreadableImageError)
      throw new AppError('ui.photo.unreadable', 415, { cause: error });
    throw error;
  }
}
