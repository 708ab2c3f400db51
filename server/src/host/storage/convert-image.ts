// Decodes, resizes and encodes one image. Runs in the image process.
import sharp, { type Metadata, type ResizeOptions, type Sharp, type SharpOptions } from 'sharp';
import { isTooCostly, MAX_PIXELS } from '#/host/storage/size-limits.ts';
import { writtenType, type ImageJob, type ImageResult } from '#/host/storage/image-job.ts';
import { MAX_PHOTO_SIDE } from '../../../../shared/photo-sizes.ts';

// libvips caches decoded pixels by default. Here each image is used once and memory is scarce.
sharp.cache(false);

/**
 * The supported source formats. All types except JPEG and PNG are written as WebP, because encoding AVIF or GIF takes up to ten
 * times as long.
 */
const SOURCES: Record<string, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
};

const formatOf = (metadata: Metadata): string =>
  metadata.format === 'heif' && metadata.compression === 'av1' ? 'avif' : metadata.format;

function encode(image: Sharp, mimetype: string, quality: number): Sharp {
  if (mimetype === 'image/jpeg') return image.jpeg({ quality });
  if (mimetype === 'image/png') return image.png();
  // For WebP, effort 2 is a third faster than the usual 4, and the files are equally large (measured by bench/image.ts).
  return image.webp({ quality, effort: 2 });
}

/** Executes one job. If the image cannot be processed, the result contains the reason instead of an error being thrown. */
export async function workOnImage(job: ImageJob): Promise<ImageResult> {
  const input = job.type === 'clean' ? job.file : job.bytes;
  const options: SharpOptions = {
    limitInputPixels: MAX_PIXELS,
    failOn: job.type === 'clean' ? 'error' : 'warning',
  };
  try {
    // Reading the metadata has no pixel limit, so that a large image is not reported as unreadable. Nothing is decoded here.
    const header = { ...options, animated: true, limitInputPixels: false };
    const metadata = await sharp(input, header).metadata();
    const format = formatOf(metadata);
    const source = SOURCES[format];
    if (source === undefined) return { rejected: 'format', format };
    if (isTooCostly(format, metadata)) return { rejected: 'too costly' };
    const animated = (metadata.pages ?? 1) > 1;
    const image = sharp(input, { ...options, animated });
    if (job.type === 'clean') {
      // Converts to eight bits per sample. Sixteen would double the file size and the cost of each rendition.
      const shallow = image.toColourspace('srgb');
      const upright = animated ? shallow : shallow.autoOrient();
      // The image is resized in the same pipeline, so that decoders which support it can shrink the image while they decode.
      const bounded = upright.resize({
        width: MAX_PHOTO_SIDE,
        height: MAX_PHOTO_SIDE,
        fit: 'inside',
        withoutEnlargement: true,
      });
      const mimetype = writtenType(source);
      const data = new Uint8Array(await encode(bounded, mimetype, 88).toBuffer());
      return { data, mimetype, source };
    }
    const { how } = job;
    const resized = image.resize({
      width: how.width,
      height: how.height,
      fit: ({ cover: 'cover', contain: 'inside', fill: 'fill' } as const)[how.resize],
      withoutEnlargement: how.resize !== 'fill',
    } as ResizeOptions);
    const mimetype = how.format === 'webp' ? 'image/webp' : writtenType(source);
    const data = new Uint8Array(await encode(resized, mimetype, how.quality).toBuffer());
    return { data, mimetype, source };
  } catch {
    return { rejected: 'unreadable' };
  }
}
