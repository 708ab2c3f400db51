// Fetches a photo of a user or dog, to copy it.
import { photoUrl } from '#/entities/photos/photo-url.ts';
import { PHOTO_WIDTH } from '../../../../shared/photo-sizes.ts';

/** @param path in the users bucket @throws {Error} also if the photo was deleted */
export async function fetchPhoto(path: string): Promise<Blob> {
  const response = await fetch(photoUrl('users', path, PHOTO_WIDTH.card));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.blob();
}
