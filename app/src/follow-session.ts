// Deletes a user's data on this device when their session ends. Part of start-up, so the stores are loaded lazily.
import { clearDrafts } from '#/entities/drafts/clear-drafts.ts';
import { registerPersonalStore } from '#/data/session/session.ts';
import { readLocal, type UserSetting, writeLocal } from '#/platform/local-settings.ts';
import { clearToasts } from '#/ui/toast.ts';

/** A record, so that the compiler reports a missing one. */
const USER_SETTINGS: Record<UserSetting, null> = {
  accountAppearance: null,
  scannedCode: null,
  usualDogs: null,
  dogStates: null,
  offeredAtPark: null,
  seenVisit: null,
};

/** Call once, before the session starts. */
export function followSession(): void {
  if (readLocal('draftPhotos') !== null) void deletePhotos();
  registerPersonalStore({
    clearCache() {
      clearToasts();
      if (readLocal('offlineMap') !== null) clearOfflineMap();
      if (readLocal('cachedQueries') === null) return;
      import('#/offline/query-cache/query-cache.ts')
        .then(({ clearQueryCache }) => clearQueryCache())
        // If deleting fails now, the next start detects that the cache belongs to another user, and deletes it.
        .catch((error: unknown) => console.warn('The cached queries are not deleted yet:', error));
    },
    clearUnsent(userId) {
      for (const name of Object.keys(USER_SETTINGS) as UserSetting[]) writeLocal(name, null);
      clearDrafts(userId);
      void import('#/entities/diary/diary.ts')
        .then(({ clearDiary }) => clearDiary(userId))
        .catch((error: unknown) =>
          console.warn('The diary is not deleted; nobody else sees it:', error),
        );
      const queue = import('#/offline/command-queue/queue.ts')
        .then(({ commandQueue }) => commandQueue.clear(userId))
        .catch((error: unknown) =>
          console.warn('The queue is not deleted; nobody else sees or sends it:', error),
        );
      const photos = readLocal('draftPhotos') === null ? null : deletePhotos(userId);
      return Promise.all([queue, photos]).then(() => undefined);
    },
  });
}

/** Deletes photos of unsent forms that are too old. @param userId if given, all photos of this user are deleted, too */
const deletePhotos = (userId?: string): Promise<void> =>
  import('#/entities/drafts/draft-photos.ts')
    .then((photos) => photos.deletePhotos(userId))
    .catch((error: unknown) =>
      console.warn('Photos are not deleted; nobody else sees them:', error),
    );

/** Saved maps around favourites reveal where a user goes, so a logout deletes them unless the user chose otherwise. */
function clearOfflineMap(): void {
  import('#/map/vector/offline-map.ts')
    .then(({ readOfflineMap, deleteOfflineMap }) =>
      readOfflineMap()?.leavesWithLogout ? deleteOfflineMap() : undefined,
    )
    .catch((error: unknown) => console.warn('The offline map is not deleted yet:', error));
}
