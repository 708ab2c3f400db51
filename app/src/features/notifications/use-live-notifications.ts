// Adds a notification that has become ready to the unseen list, and refetches the count and the data that the notification is
// about.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { cacheArrival, fetchNotification } from '#/features/notifications/queries/notifications.ts';
import { type AppNotification, MAX_CACHED } from '#/features/notifications/notification.ts';
import { createBatch } from '#/core/batch.ts';
import { invalidateAll } from '#/data/invalidate-all.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { followMissedChanges, followOwnChange } from '#/entities/session/own-changes.ts';
import { followTabs } from '#/data/tab-sync.ts';
import { subscribeToOwnChanges } from '#/data/realtime.ts';

/** Maximum time in milliseconds that the first count waits for the channel. */
const CHANNEL_TIMEOUT_MS = 2000;

/** Debounce time in milliseconds. */
const SEEN_TOGETHER_MS = 300;

/** Returns the keys of the queries that a notification makes stale. */
function shownBy({ type, sender_id }: AppNotification): readonly (readonly string[])[] {
  if (type.startsWith('parkInvite')) return [userKeys.meetings];
  return sender_id && (type === 'friendRequest' || type === 'friendApproval')
    ? [userKeys.page(sender_id), userKeys.friends]
    : [];
}

/**
 * Returns true when the count may be fetched: once the channel has joined, because earlier changes would be missed, or after a
 * short timeout.
 */
export function useLiveNotifications(): boolean {
  const queryClient = useQueryClient();
  const [isCountable, setIsCountable] = useState(false);
  useEffect(() => {
    const late = setTimeout(() => setIsCountable(true), CHANNEL_TIMEOUT_MS);
    const countAgain = () => queryClient.invalidateQueries({ queryKey: userKeys.unseenCount });

    // Debounce, because opening the list marks many notifications as seen.
    let seen: ReturnType<typeof setTimeout> | undefined;
    const seenElsewhere = () => {
      clearTimeout(seen);
      seen = setTimeout(() => {
        void invalidateAll(queryClient, [userKeys.unseenCount, userKeys.unseen]);
      }, SEEN_TOGETHER_MS);
    };

    const catchUp = () =>
      Promise.all([
        invalidateAll(queryClient, [
          userKeys.unseenCount,
          userKeys.unseen,
          userKeys.friends,
          userKeys.meetings,
        ]),
        queryClient.invalidateQueries({
          predicate: ({ queryKey }) => queryKey[0] === 'users' && queryKey[2] === 'page',
        }),
      ]);

    const add = createBatch(async (ids: string[]) => {
      const [id = ''] = ids;
      // If many notifications arrive, for example after the language was changed, refetch everything once.
      const notification = ids.length === 1 ? await fetchNotification(id) : null;
      if (ids.length > 1) await catchUp();
      if (!notification) return ids;
      cacheArrival(queryClient, notification);
      await Promise.all([countAgain(), invalidateAll(queryClient, shownBy(notification))]);
      return ids;
    }, MAX_CACHED);

    const stopTabs = followTabs(queryClient);
    const stopListening = subscribeToOwnChanges({
      onNotification({ id, is_ready, seen_at }) {
        if (seen_at !== null) return seenElsewhere();
        if (!is_ready) return;
        add(id).catch((error: unknown) => console.warn('A notification could not be read:', error));
      },
      onOwnChange: followOwnChange,
      onJoined() {
        setIsCountable(true);
        // Fetch the changes that were made before the channel had joined.
        void catchUp();
        void followMissedChanges();
      },
    });
    return () => {
      clearTimeout(late);
      clearTimeout(seen);
      stopTabs();
      stopListening();
    };
  }, [queryClient]);
  return isCountable;
}
