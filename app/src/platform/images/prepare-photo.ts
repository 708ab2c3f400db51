// Prepares a chosen photo for upload: scales, compresses and converts it off the main thread, and gives it a safe name.
import { AppError } from '#/core/app-error.ts';
import type { Area } from '#/core/images/crop.ts';
import { uploadName } from '#/core/images/file-name.ts';
import { MAX_PHOTO_SIDE } from '../../../../shared/photo-sizes.ts';
import {
  encodeImage,
  type EncodedImage,
  type EncodeOptions,
  UnreadableImageError,
} from './encode-image.ts';

/** Small enough for a weak connection. */
const MAX_BYTES = 600_000;

interface PreparedPhoto extends EncodedImage {
  /** Sanitised and unique. */
  name: string;
}

/** Photos from iPhones, which only some browsers can decode. */
const isHeic = ({ name, type }: File): boolean =>
  /\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type);

/** Returns the message for a photo that this browser cannot decode. */
export const unreadableMessage = (file: File): 'ui.photo.heic' | 'ui.photo.unreadable' =>
  isHeic(file) ? 'ui.photo.heic' : 'ui.photo.unreadable';

const encodeInWorker = (file: Blob, options: EncodeOptions): Promise<EncodedImage> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./encode-image.worker.ts', import.meta.url), {
      type: 'module',
    });
    worker.addEventListener(
      'message',
      (event: MessageEvent<{ image?: EncodedImage; error?: string }>) => {
        worker.terminate();
        if (event.data.image) resolve(event.data.image);
        else reject(new Error(event.data.error));
      },
    );
    worker.addEventListener('error', (event) => {
      worker.terminate();
      reject(new Error(event.message || 'The image worker did not start'));
    });
    worker.postMessage({ file, options });
  });

/**
 * @param area the area to keep; default all
 * @throws {AppError} 415 if this browser cannot decode it; other errors are not caused by the file
 */
export async function preparePhoto(file: File, area?: Area): Promise<PreparedPhoto> {
  const options = { longestSide: MAX_PHOTO_SIDE, maxBytes: MAX_BYTES, ...(area && { area }) };
  try {
    // Some browsers decode certain formats only on the page, or have no canvas in workers, so the page is the fallback.
    const image = await encodeInWorker(file, options).catch(() => encodeImage(file, options));
    const extension = image.blob.type === 'image/webp' ? 'webp' : 'jpg';
    return { ...image, name: uploadName(file.name, extension) };
  } catch (error) {
    if (error instanceof UnreadableImageError)
      throw new AppError(unreadableMessage(file), 415, { cause: error });
    throw error;
  }
}
