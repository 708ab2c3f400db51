// Decodes, resizes and encodes one image. Runs in the image process.
import sharp, { type Metadata, type ResizeOptions, type Sharp, type SharpOptions } from 'sharp';
import { isTooCostly, MAX_PIXELS } from '#/host/storage/size-limits.ts';
import { writtenType, type ImageJob, type ImageResult } from '#/host/storage/image-job.ts';
import { MAX_IMAGE_SIDE } from '../../../../shared/image-side.ts';

// By default libvips caches decoded pixels. Here each image is used once, and memory is scarce.
sharp.cache(false);

/**
 * The supported source formats. Other types than JPEG and PNG are written as WebP, because encoding AVIF or GIF takes up to ten
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
  // For WebP, effort 2 is a third faster than the usual 4 and produces files of the same size (the photo of bench/image.ts).
  return image.webp({ quality, effort: 2 });
}

/** Executes one job. If an image cannot be processed, the result contains the reason, and nothing is thrown. */
export async function workOnImage(job: ImageJob): Promise<ImageResult> {
  const input = job.kind === 'clean' ? job.file : job.bytes;
  const options: SharpOptions = {
    limitInputPixels: MAX_PIXELS,
    failOn: job.kind === 'clean' ? 'error' : 'warning',
  };
  try {
    // Without a pixel limit, so that a large image is not reported as unreadable. Nothing is decoded yet.
    const header = { ...options, animated: true, limitInputPixels: false };
    const metadata = await sharp(input, header).metadata();
    const format = formatOf(metadata);
    const source = SOURCES[format];
    if (source === undefined) return { rejected: 'format', format };
    if (isTooCostly(format, metadata)) return { rejected: 'too costly' };
    const animated = (metadata.pages ?? 1) > 1;
    const image = sharp(input, { ...options, animated });
    if (job.kind === 'clean') {
      // Eight bits per sample; sixteen would double the size of the file and the cost of each rendition.
      const shallow = image.toColourspace('srgb');
      const upright = animated ? shallow : shallow.autoOrient();
      // Resized in the same pipeline, so that decoders can shrink the image while decoding if they support it.
      const bounded = upright.resize({
        width: MAX_IMAGE_SIDE,
        height: MAX_IMAGE_SIDE,
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
