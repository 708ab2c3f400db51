// Images: uploads are decoded, resized and re-encoded without metadata, and smaller renditions are made for display.
import os from 'node:os';
import { FairSemaphore } from '#/host/limits/fair-semaphore.ts';
import { busy, invalidMimeType, StorageError } from '#/host/storage/errors.ts';
import { ImageProcess, ImageProcessError } from '#/host/storage/image-process.ts';
import type { ImageJob, ImageResult, Transformation } from '#/host/storage/image-job.ts';

type MadeImage = Extract<ImageResult, { data: unknown }>;

/** Normalises a media type. `image/jpg` is common, although it is invalid. */
export function normalMimeType(type: string): string {
  const bare = (type.split(';')[0] ?? '').trim().toLowerCase();
  return bare === 'image/jpg' || bare === 'image/pjpeg' ? 'image/jpeg' : bare;
}

/** Detects the type of a raster image by its magic bytes, of which 32 are enough; null for anything else. */
export function imageTypeOf(head: Uint8Array): string | null {
  const text = Buffer.from(head.subarray(0, 32)).toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(text)) return 'image/webp';
  return /^[^]{4}ftyp(avif|avis|mif1[^]*avif)/.test(text) ? 'image/avif' : null;
}

async function workOn(process: ImageProcess, job: ImageJob): Promise<MadeImage> {
  const result = await process.run(job).catch((error: unknown) => {
    throw error instanceof ImageProcessError ? busy('images', { cause: error }) : error;
  });
  if ('data' in result) return result;
  if (result.rejected === 'format') throw invalidMimeType(`image/${result.format}`);
  const message =
    result.rejected === 'too costly'
      ? 'The image has too many pixels for its format'
      : 'The file is not an image that can be read';
  throw job.type === 'clean'
    ? new StorageError(415, 'invalid_mime_type', message)
    : new StorageError(422, 'InvalidRequest', message);
}

/** Unknown callers get a unique key, so only the total limit applies to them. */
const keyOf = (who: string | null) => who ?? Symbol('not known');

/** The host's image work: a queue that runs one image at a time per caller, and the processes that run the jobs. */
export class Images {
  /** Uploads run one at a time to limit the memory. More renditions may wait, because a page shows dozens of them. */
  readonly #uploads = new FairSemaphore({ permits: 1, each: 1, capacity: 500, capacityEach: 10 });
  readonly #copies = new FairSemaphore({
    permits: Math.max(1, os.availableParallelism() - 1),
    each: 1,
    capacity: 200,
    capacityEach: 50,
  });
  /** The process for renditions has a higher priority than the process for uploads, because pages wait for renditions. */
  readonly #copying = new ImageProcess(5);
  readonly #cleaning = new ImageProcess(15);

  /**
   * Decodes an uploaded image completely and re-encodes it: upright, in sRGB, without metadata (GPS), and at most as large as the
   * app displays it.
   * @param who the user or IP that uploads, or null if unknown
   * @param signal aborted when the uploader disconnects
   * @throws StorageError 415 if it is unreadable, of another format, or too costly to decode; FullError if too many wait;
   * AbortedError
   */
  clean(file: string, who: string | null, signal: AbortSignal): Promise<MadeImage> {
    const work = () => workOn(this.#cleaning, { type: 'clean', file });
    return this.#uploads.run(keyOf(who), work, signal);
  }

  /**
   * Creates a rendition, which is never larger than the original. `load` is called when the job starts.
   * @param who the user or IP of the request, or null if unknown
   * @param signal aborted when all callers that wait for the rendition have disconnected
   * @throws StorageError 422 if the bytes are not an image or too costly to decode; FullError if too many wait; AbortedError
   */
  transform(
    load: () => Promise<Uint8Array>,
    how: Transformation,
    who: string | null = null,
    signal?: AbortSignal,
  ): Promise<MadeImage> {
    const work = async () => workOn(this.#copying, { type: 'transform', bytes: await load(), how });
    return this.#copies.run(keyOf(who), work, signal);
  }
}
