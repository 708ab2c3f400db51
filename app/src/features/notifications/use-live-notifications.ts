// Puts a notification that has just become ready in front of the unseen list, counts it, and refreshes whom it is about.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { cacheArrival, fetchNotification } from '#/features/notifications/queries/notifications.ts';
import { type AppNotification, MAX_CACHED } from '#/features/notifications/notification.ts';
import { createBatch } from '#/core/batch.ts';
import { invalidateAll } from '#/data/invalidate-all.ts';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { followMissedChanges, followOwnChange } from '#/entities/session/own-changes.ts';
import { followTabs } from '#/data/tab-sync.ts';
import { subscribeToOwnChanges } from '#/data/realtime.ts';

/** How long a count waits for the channel, in ms. */
const CHANNEL_PATIENCE_MS = 2000;

/** Within this time after one notification was seen, others are as well, in ms. */
const SEEN_TOGETHER_MS = 300;

/** Where the news of a notification shows, on whatever screen: it is asked for again. */
function shownBy({ type, sender_id }: AppNotification): readonly (readonly string[])[] {
  if (type.startsWith('parkInvite')) return [peopleKeys.meetings];
  return sender_id && (type === 'friendRequest' || type === 'friendApproval')
    ? [peopleKeys.page(sender_id), peopleKeys.friends]
    : [];
}

/**
 * @returns whether it is time to count: what is counted before the channel stands has to be counted once more, so the
 * first count waits for it, but not for long
 */
export function useLiveNotifications(): boolean {
  const queryClient = useQueryClient();
  const [isTime, setIsTime] = useState(false);
  useEffect(() => {
    const late = setTimeout(() => setIsTime(true), CHANNEL_PATIENCE_MS);
    const countAgain = () => queryClient.invalidateQueries({ queryKey: peopleKeys.unseenCount });

    // All of a list become seen at once.
    let seen: ReturnType<typeof setTimeout> | undefined;
    const seenElsewhere = () => {
      clearTimeout(seen);
      seen = setTimeout(() => {
        void invalidateAll(queryClient, [peopleKeys.unseenCount, peopleKeys.unseen]);
      }, SEEN_TOGETHER_MS);
    };

    const catchUp = () =>
      Promise.all([
        invalidateAll(queryClient, [
          peopleKeys.unseenCount,
          peopleKeys.unseen,
          peopleKeys.friends,
          peopleKeys.meetings,
        ]),
        queryClient.invalidateQueries({
          predicate: ({ queryKey }) => queryKey[0] === 'users' && queryKey[2] === 'page',
        }),
      ]);

    const add = createBatch(async (ids: string[]) => {
      const [id = ''] = ids;
      // Many at once are one question: a change of the language writes all of them again.
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
        setIsTime(true);
        // Whatever was answered before the channel stood was not heard.
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
  return isTime;
}
