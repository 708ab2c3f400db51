// Prepares photos for upload: compresses and converts them off the main thread, and gives them a safe name.
import { encodeImage, type EncodedImage, type EncodeOptions } from './encode-image.ts';
import { uploadName } from '#/core/images/file-name.ts';
import { MAX_IMAGE_SIDE } from '../../../../shared/image-side.ts';

/** Fills a phone's screen, and is small enough for a weak connection. */
const DEFAULTS: EncodeOptions = { longestSide: MAX_IMAGE_SIDE, maxBytes: 600_000 };

export interface PreparedImage extends EncodedImage {
  /** Sanitised and unique. */
  name: string;
}

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

/** Compresses and converts an image. @throws UnreadableImageError if this browser cannot decode the file */
export async function prepareImage(
  file: File,
  options: Partial<EncodeOptions> = {},
): Promise<PreparedImage> {
  const wanted = { ...DEFAULTS, ...options };
  // Some browsers decode certain formats only on the page, or have no canvas in workers, so the page is the fallback.
  const image = await encodeInWorker(file, wanted).catch(() => encodeImage(file, wanted));
  const extension = image.blob.type === 'image/webp' ? 'webp' : 'jpg';
  return { ...image, name: uploadName(file.name, extension) };
}
