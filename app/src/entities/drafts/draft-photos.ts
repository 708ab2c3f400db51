// Photos chosen in forms. They are stored on this device until they are sent or discarded, but for at most seven days.
import { DAY_MS } from '../../../../shared/durations.ts';
import { draftKey } from '#/entities/drafts/clear-drafts.ts';
import { openStore } from '#/offline/device-store.ts';
import { writeLocal } from '#/platform/local-settings.ts';

const MAX_AGE_MS = 7 * DAY_MS;

const store = openStore<{ photo: unknown; until: number }>('packpark-draft-photos', 'photos');

export const readPhoto = async (key: string): Promise<unknown> => (await store.get(key))?.photo;

/** @param photo null deletes it */
export async function writePhoto(key: string, photo: unknown): Promise<void> {
  if (photo === null) return store.delete(key);
  writeLocal('draftPhotos', 'yes');
  await store.set(key, { photo, until: Date.now() + MAX_AGE_MS });
}

/** Deletes photos that are too old. @param userId if given, all photos of this user are deleted, too */
export async function deletePhotos(userId?: string): Promise<void> {
  const keys = await store.keys();
  const isGone = await Promise.all(
    keys.map(
      async (key) =>
        (userId !== undefined && key.startsWith(draftKey(userId, ''))) ||
        ((await store.get(key))?.until ?? 0) < Date.now(),
    ),
  );
  await store.delete(...keys.filter((_, at) => isGone[at]));
  if (isGone.every(Boolean)) writeLocal('draftPhotos', null);
}
