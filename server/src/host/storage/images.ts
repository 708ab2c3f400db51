// Images: decodes what is uploaded before it is accepted and drops its metadata; makes smaller copies to show.
import os from 'node:os';
import sharp, { type Metadata, type ResizeOptions, type Sharp } from 'sharp';
import { invalidMimeType, StorageError } from '#/host/storage/errors.ts';
import { createImageQueue } from '#/host/storage/image-queue.ts';

/** Against bombs: no picture with more pixels is decoded, all its frames together. 50 megapixels is a large phone's photo. */
const MAX_PIXELS = 50_000_000;
const MAX_FRAMES = 100;

// libvips would cache decoded pixels, but here each picture is decoded once, and memory is scarce.
sharp.cache(false);

// Effort 2 makes WebP a third faster than the usual 4, and as small (bench/image.ts's photo).
const ENCODERS: Record<string, { mimetype: string; encode: (image: Sharp) => Sharp }> = {
  jpeg: { mimetype: 'image/jpeg', encode: (image) => image.jpeg({ quality: 88 }) },
  png: { mimetype: 'image/png', encode: (image) => image.png() },
  webp: { mimetype: 'image/webp', encode: (image) => image.webp({ quality: 88, effort: 2 }) },
  gif: { mimetype: 'image/gif', encode: (image) => image.gif() },
  avif: { mimetype: 'image/avif', encode: (image) => image.avif({ quality: 60, effort: 2 }) },
};

const queue = createImageQueue(Math.max(1, os.availableParallelism() - 1));

const unreadable = () =>
  new StorageError(415, 'invalid_mime_type', 'The file is not an image that can be read');

function formatOf(metadata: Metadata): string {
  return metadata.format === 'heif' && metadata.compression === 'av1' ? 'avif' : metadata.format;
}

/** What a client means by a type: `image/jpg` is common and wrong. */
export function normalMimeType(type: string): string {
  const bare = (type.split(';')[0] ?? '').trim().toLowerCase();
  return bare === 'image/jpg' || bare === 'image/pjpeg' ? 'image/jpeg' : bare;
}

/**
 * Decodes an uploaded picture wholly and writes it anew in its own format: upright, in sRGB, without metadata (GPS).
 * @returns the new bytes and the type they really have
 * @throws StorageError 415 when it cannot be read, is of another format, or is too large to decode
 */
export function cleanImage(
  file: string | Uint8Array,
): Promise<{ data: Uint8Array<ArrayBuffer>; mimetype: string }> {
  return queue.upload(async () => {
    const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', animated: true } as const;
    try {
      const metadata = await sharp(file, options).metadata();
      const encoder = ENCODERS[formatOf(metadata)];
      if (!encoder) throw invalidMimeType(`image/${metadata.format}`);
      if ((metadata.pages ?? 1) > MAX_FRAMES) throw unreadable();
      const image = sharp(file, options);
      const upright = (metadata.pages ?? 1) > 1 ? image : image.autoOrient();
      const data = new Uint8Array(await encoder.encode(upright).toBuffer());
      return { data, mimetype: encoder.mimetype };
    } catch (error) {
      throw error instanceof StorageError ? error : unreadable();
    }
  });
}

export interface Transformation {
  width: number | null;
  height: number | null;
  resize: 'cover' | 'contain' | 'fill';
  quality: number;
  format: 'origin' | 'webp';
}

const FITS = { cover: 'cover', contain: 'inside', fill: 'fill' } as const;

/**
 * Makes the copy that `how` describes, never larger than the original; `load` is called when the queue reaches it.
 * @param address that asks, or null where it is not known
 * @throws StorageError 415 for a format that cannot be made, 422 when the bytes are no picture, 429 when too many wait
 */
export function transformImage(
  load: () => Promise<Uint8Array>,
  how: Transformation,
  address: string | null = null,
): Promise<{ data: Uint8Array<ArrayBuffer>; mimetype: string }> {
  return queue.copy(address, async () => {
    const bytes = await load();
    try {
      const animated = { limitInputPixels: MAX_PIXELS, animated: true } as const;
      const metadata = await sharp(bytes, animated).metadata();
      const format = how.format === 'webp' ? 'webp' : formatOf(metadata);
      const mimetype = ENCODERS[format]?.mimetype;
      if (mimetype === undefined) throw invalidMimeType(`image/${metadata.format}`);
      const image = sharp(bytes, { ...animated, animated: (metadata.pages ?? 1) > 1 }).resize({
        width: how.width,
        height: how.height,
        fit: FITS[how.resize],
        withoutEnlargement: how.resize !== 'fill',
      } as ResizeOptions);
      const { quality } = how;
      const encoded =
        format === 'webp'
          ? image.webp({ quality, effort: 2 })
          : format === 'jpeg'
            ? image.jpeg({ quality, mozjpeg: true })
            : format === 'avif'
              ? image.avif({ quality, effort: 2 })
              : (ENCODERS[format]?.encode(image) ?? image);
      return { data: new Uint8Array(await encoded.toBuffer()), mimetype };
    } catch (error) {
      if (error instanceof StorageError) throw error;
      throw new StorageError(422, 'InvalidRequest', 'The object is not an image that can be read');
    }
  });
}
