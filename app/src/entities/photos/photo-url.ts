// Public URLs of stored photos, resized by the storage service. Pure, so that lists can render without the client.
import { getConfig } from '#/platform/config.ts';
import { PHOTO_WIDTH } from '../../../../shared/photo-sizes.ts';

type PhotoBucket = 'parks' | 'users' | 'lost-dogs';

/** Returns the URL of a user's or dog's avatar, or null. @param path in the users bucket */
export const avatarUrl = (path: string | null | undefined): string | null =>
  path ? photoUrl('users', path, PHOTO_WIDTH.thumb) : null;

/** The same URL as `getPublicUrl` of the official client. @param width in pixels; without one, the original */
export function photoUrl(bucket: PhotoBucket, path: string, width?: number): string {
  const place = path.split('/').map(encodeURIComponent).join('/');
  const type = width === undefined ? 'object' : 'render/image';
  const query = width === undefined ? '' : `?width=${String(width)}`;
  return `${getConfig().supabaseUrl}/storage/v1/${type}/public/${bucket}/${place}${query}`;
}
