// Uploads a prepared image with progress events, which the official client does not support.
import { getConfig } from '#/platform/config.ts';
import { AppError, noteRejection } from '#/core/app-error.ts';
import { toAppError } from '#/i18n/errors.ts';
import { refreshToken } from '#/data/fetch-with-refresh.ts';
import { isTokenExpired } from '#/data/retry-policy.ts';
import { supabase } from '#/data/supabase.ts';

const CACHE_SECONDS = 2_592_000;

/** Longer than for other requests, because a photo may take long on a slow network. */
const TIMEOUT_MS = 120_000;

interface UploadImage {
  bucket: 'users' | 'pending-photos' | 'lost-dogs' | 'sightings' | 'visit-photos';
  path: string;
  blob: Blob;
  /** ID of the user who added the photo. The photo is not uploaded if another user has logged in since then. */
  contributor?: string;
  /** Called with values from 0 to 1 during the upload. */
  onProgress?: ((share: number) => void) | undefined;
}

/** Uploads an image; repeating a completed upload succeeds. @throws {AppError} 413 if it is too large, 0 without a network */
export async function uploadImage(image: UploadImage): Promise<void> {
  const client = await supabase();
  const { session } = (await client.auth.getSession()).data;
  const contributor = image.contributor ?? session?.user.id;
  if (session?.user.id !== contributor) throw new AppError('errors.session_expired', 401);
  const first = await send(image, session?.access_token);
  if (first === 'done') return;
  const token = await refreshToken(client, contributor ?? null);
  if (!token || (await send(image, token)) === 'expired')
    throw new AppError('errors.session_expired', 401);
}

/** @throws {AppError} for any error except an expired token */
function send(
  { bucket, path, blob, onProgress }: UploadImage,
  token: string | undefined,
): Promise<'done' | 'expired'> {
  const { supabaseUrl, anonKey } = getConfig();
  const place = path.split('/').map(encodeURIComponent).join('/');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${supabaseUrl}/storage/v1/object/${bucket}/${place}`);
    request.setRequestHeader('authorization', `Bearer ${token ?? anonKey}`);
    request.setRequestHeader('apikey', anonKey);
    request.setRequestHeader('content-type', blob.type);
    request.setRequestHeader('cache-control', `max-age=${String(CACHE_SECONDS)}`);
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    });
    request.addEventListener('load', () => {
      // File names are unique, so an existing file is from an earlier upload whose response was lost.
      const { status, message } = responseError(request);
      if (request.status < 300 || status === 409) resolve('done');
      else if (isTokenExpired(request.status, { message })) resolve('expired');
      else {
        noteRejection(status, request.getResponseHeader('sb-request-id'));
        reject(toAppError({ status }));
      }
    });
    for (const silence of ['error', 'timeout'])
      request.addEventListener(silence, () => reject(toAppError({ status: 0 })));
    request.timeout = TIMEOUT_MS;
    request.send(blob);
  });
}

/** Storage returns some errors as HTTP 400 with the actual status in the body. */
function responseError(request: XMLHttpRequest): { status: number; message: string } {
  try {
    const { statusCode, message } = JSON.parse(request.responseText) as Record<string, unknown>;
    const inside = Number(statusCode);
    return { status: inside >= 400 ? inside : request.status, message: String(message) };
  } catch {
    return { status: request.status, message: '' };
  }
}
