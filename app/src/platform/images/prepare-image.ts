// What happens to a photo before it is uploaded: compressed and converted off the main thread, renamed safely.
import { encodeImage, type EncodedImage, type EncodeOptions } from './encode-image.ts';
import { uploadName } from '#/core/images/file-name.ts';
import { MAX_IMAGE_SIDE } from '../../../../shared/image-side.ts';

/** Enough for a full screen on a phone, and small enough for one bar of reception. */
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

/** Compresses and converts a picture for upload. Throws UnreadableImageError when the file is no picture that this browser can read. */
export async function prepareImage(
  file: File,
  options: Partial<EncodeOptions> = {},
): Promise<PreparedImage> {
  const wanted = { ...DEFAULTS, ...options };
  // Some browsers decode formats in the page only (or lack a canvas in workers): the page is the second try.
  const image = await encodeInWorker(file, wanted).catch(() => encodeImage(file, wanted));
  const extension = image.blob.type === 'image/webp' ? 'webp' : 'jpg';
  return { ...image, name: uploadName(file.name, extension) };
}
