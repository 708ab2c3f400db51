// Size limits of objects and images: pixels, frames, and the memory that decoding takes.
import type { Metadata } from 'sharp';

/** Bytes of an object. A photo's limit is its bucket's and that of `private.check_photo` (supabase/schemas/storage.sql). */
export const MAX_OBJECT_BYTES = 50 * 1024 * 1024;

/** Memory for decoding one image. Two cores and 1 GB of memory are a usual small server. */
const MAX_DECODED_BYTES = 120e6;
/** A limit of time, for formats that are decoded line by line. 50 megapixels is a large phone's photo. */
export const MAX_PIXELS = 50_000_000;
const MAX_FRAMES = 100;

/** Bytes of memory for each pixel, as measured. */
function bytesPerPixel(format: string, metadata: Metadata): number {
  const { channels = 4 } = metadata;
  const deep = metadata.depth !== 'uchar';
  if ((metadata.pages ?? 1) > 1) return 50;
  switch (format) {
    case 'jpeg': {
      // A single scan is decoded line by line; several scans need all coefficients in memory.
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
  // For an animation `height` is that of all frames together.
  const pixels = metadata.width * metadata.height;
  return (
    pixels > MAX_PIXELS ||
    (metadata.pages ?? 1) > MAX_FRAMES ||
    pixels * bytesPerPixel(format, metadata) > MAX_DECODED_BYTES
  );
}
