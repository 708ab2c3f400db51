// Uploads a prepared picture to the storage service with progress, which the official client's fetch cannot tell.
import { getConfig } from '#/lib/config.ts';
import type { PhotoBucket } from '#/lib/images/photo-url.ts';
import { toAppError } from '#/lib/errors.ts';
import { supabase } from '#/lib/supabase.ts';

/** How long caches may keep an image: 30 days. */
const CACHE_SECONDS = 2_592_000;

/** Slow is no reason to give up, silence is. */
const LATEST_MS = 120_000;

interface UploadImage {
  bucket: PhotoBucket;
  /** The object's path inside the bucket. */
  path: string;
  /** What `prepareImage` made. */
  blob: Blob;
  /** Called with 0 to 1 while bytes go out. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/**
 * The same request as the official client's `upload`; a repeat of one that arrived is as good as the first.
 * @throws {AppError} with status 413 when the image is too large, 0 without a network
 */
export async function uploadImage({
  bucket,
  path,
  blob,
  onProgress,
  signal,
}: UploadImage): Promise<void> {
  const client = await supabase();
  const { data } = await client.auth.getSession();
  const { supabaseUrl, anonKey } = getConfig();
  const place = path.split('/').map(encodeURIComponent).join('/');

  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${supabaseUrl}/storage/v1/object/${bucket}/${place}`);
    request.setRequestHeader('authorization', `Bearer ${data.session?.access_token ?? anonKey}`);
    request.setRequestHeader('apikey', anonKey);
    request.setRequestHeader('content-type', blob.type);
    request.setRequestHeader('cache-control', `max-age=${String(CACHE_SECONDS)}`);
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    });
    request.addEventListener('load', () => {
      // Names are never used twice: one that is there already came from here, and its answer was lost.
      if (request.status < 300 || refusal(request) === 409) {
        resolve();
        return;
      }
      reject(toAppError({ status: refusal(request) }));
    });
    for (const silence of ['error', 'timeout'])
      request.addEventListener(silence, () => {
        reject(toAppError({ status: 0 }));
      });
    request.timeout = LATEST_MS;
    request.addEventListener('abort', () => {
      reject(new DOMException('The upload was cancelled', 'AbortError'));
    });
    signal?.addEventListener('abort', () => {
      request.abort();
    });
    request.send(blob);
  });
}

/** Storage answers some refusals with HTTP 400 and the true status inside, as the platform does. */
function refusal(request: XMLHttpRequest): number {
  try {
    const { statusCode } = JSON.parse(request.responseText) as { statusCode?: string | number };
    const inside = Number(statusCode);
    return inside >= 400 ? inside : request.status;
  } catch {
    return request.status;
  }
}
