// Decodes an image, applies its orientation, scales it down and encodes it as WebP, or JPEG in some browsers. Runs in a worker or
// on the page.

import type { Area } from '#/core/images/crop.ts';

export interface EncodeOptions {
  /** Maximum length of the longer side in pixels. */
  longestSide: number;
  /** Maximum size; the quality is reduced step by step to reach it. */
  maxBytes: number;
  /** The area to keep; default all. */
  area?: Area;
}

export interface EncodedImage {
  /** WebP, or JPEG if the browser cannot encode WebP; without metadata. */
  blob: Blob;
  width: number;
  height: number;
}

export class UnreadableImageError extends Error {
  override name = 'UnreadableImageError';
}

const QUALITIES = [0.82, 0.7, 0.55, 0.4];

async function toBlob(
  canvas: OffscreenCanvas | HTMLCanvasElement,
  type: string,
  quality: number,
): Promise<Blob | null> {
  if ('convertToBlob' in canvas) return canvas.convertToBlob({ type, quality });
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}

function makeCanvas(width: number, height: number): OffscreenCanvas | HTMLCanvasElement {
  if (typeof OffscreenCanvas !== 'undefined') return new OffscreenCanvas(width, height);
  return Object.assign(document.createElement('canvas'), { width, height });
}

/** Re-encoding removes all metadata, including where a photo was taken. @throws {UnreadableImageError} */
export async function encodeImage(file: Blob, options: EncodeOptions): Promise<EncodedImage> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(
    (error: unknown) => {
      throw new UnreadableImageError('The file is not a readable image', { cause: error });
    },
  );
  const { left, top, ...size } = options.area ?? { left: 0, top: 0, width: 1, height: 1 };
  const from = { width: bitmap.width * size.width, height: bitmap.height * size.height };
  const scale = Math.min(1, options.longestSide / Math.max(from.width, from.height));
  const width = Math.max(1, Math.round(from.width * scale));
  const height = Math.max(1, Math.round(from.height * scale));
  const canvas = makeCanvas(width, height);
  const context = canvas.getContext('2d') as
    | OffscreenCanvasRenderingContext2D
    | CanvasRenderingContext2D
    | null;
  if (!context) throw new Error('No canvas to draw on');
  context.imageSmoothingQuality = 'high';
  const [x, y] = [bitmap.width * left, bitmap.height * top];
  context.drawImage(bitmap, x, y, from.width, from.height, 0, 0, width, height);
  bitmap.close();

  let smallest: Blob | null = null;
  for (const quality of QUALITIES) {
    let blob = await toBlob(canvas, 'image/webp', quality);
    // Safari returns PNG if it cannot encode WebP.
    if (blob?.type !== 'image/webp') blob = await toBlob(canvas, 'image/jpeg', quality);
    if (blob && (!smallest || blob.size < smallest.size)) smallest = blob;
    if (smallest && smallest.size <= options.maxBytes) break;
  }
  if (!smallest) throw new Error('The image could not be encoded');
  return { blob: smallest, width, height };
}
