// Size limits of objects and images: bytes, pixels, frames, and the memory for decoding.
import type { Metadata } from 'sharp';

/**
 * Maximum size of an object. Photos have lower limits: those of the bucket and of `private.check_photo`
 * (supabase/schemas/storage.sql).
 */
export const MAX_OBJECT_BYTES = 50 * 1024 * 1024;

/** Maximum memory for decoding one image. A small server typically has two cores and 1 GB of memory. */
const MAX_DECODED_BYTES = 120e6;
/**
 * Limits the decoding time of formats that need little memory because they are decoded line by line. Large photos of phones have 50
 * megapixels.
 */
export const MAX_PIXELS = 50_000_000;
const MAX_FRAMES = 100;

/** Returns the measured number of bytes of memory per pixel. */
function bytesPerPixel(format: string, metadata: Metadata): number {
  const { channels = 4 } = metadata;
  const deep = metadata.depth !== 'uchar';
  if ((metadata.pages ?? 1) > 1) return 50;
  switch (format) {
    case 'jpeg': {
      // An image with a single scan is decoded line by line. With several scans, all coefficients are in memory.
      if (!metadata.isProgressive) return 0;
      const samples = { '4:2:0': 1.5, '4:2:2': 2 }[metadata.chromaSubsampling ?? ''];
      return 2.4 * (samples ?? channels);
    }
    case 'png':
      return 1.5 * channels * (deep ? 2 : 1);
    case 'avif':
      return deep ? 24 : 18;
    default:
      return 5;
  }
}

/** Returns true if an image with this header is rejected before decoding. */
export function isTooCostly(format: string, metadata: Metadata): boolean {
  // For an animation, `height` is the total height of all frames.
  const pixels = metadata.width * metadata.height;
  return (
    pixels > MAX_PIXELS ||
    (metadata.pages ?? 1) > MAX_FRAMES ||
    pixels * bytesPerPixel(format, metadata) > MAX_DECODED_BYTES
  );
}
