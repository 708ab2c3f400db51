// Public addresses of stored photos, resized by the storage service; pure, so that a list can draw without the client.
import { getConfig } from '#/platform/config.ts';
import { PHOTO_WIDTH } from '../../../../shared/photo-widths.ts';

type PhotoBucket = 'parks' | 'users' | 'lost-dogs';

/** A person's or a dog's picture as a small one; null where there is none. @param path in bucket users */
export const faceUrl = (path: string | null | undefined): string | null =>
  path ? photoUrl('users', path, PHOTO_WIDTH.thumb) : null;

/** As the official client's `getPublicUrl` gives it. @param width in pixels; without one, the original */
export function photoUrl(bucket: PhotoBucket, path: string, width?: number): string {
  const place = path.split('/').map(encodeURIComponent).join('/');
  const kind = width === undefined ? 'object' : 'render/image';
  const query = width === undefined ? '' : `?width=${String(width)}`;
  return `${getConfig().supabaseUrl}/storage/v1/${kind}/public/${bucket}/${place}${query}`;
}
