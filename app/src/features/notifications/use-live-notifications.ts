// Puts a notification that has just become ready in front of the unseen list, and counts it on the badge.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchNotification } from '#/features/notifications/api/notifications.ts';
import { addToFront, type AppNotification } from '#/features/notifications/notification.ts';
import { peopleKeys } from '#/lib/people-keys.ts';
import { listenToNotifications } from '#/lib/realtime.ts';

export function useLiveNotifications(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const countAgain = () =>
      queryClient.invalidateQueries({ queryKey: ['notifications', 'unseen-count'] });

    async function add(id: string): Promise<void> {
      const notification = await fetchNotification(id);
      if (!notification) return;
      queryClient.setQueryData<AppNotification[]>(
        peopleKeys.unseen,
        (list) => list && addToFront(list, notification),
      );
      await countAgain();
    }

    return listenToNotifications(
      ({ id, is_ready, seen_at }) => {
        if (!is_ready || seen_at !== null) return;
        add(id).catch((error: unknown) => console.warn('A notification could not be read:', error));
      },
      () => {
        void countAgain();
        void queryClient.invalidateQueries({ queryKey: peopleKeys.unseen });
      },
    );
  }, [queryClient]);
}
