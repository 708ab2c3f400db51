// Marks one or all notifications as read, or all as seen.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateInAllTabs } from '#/data/tab-sync.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { request } from '#/data/request.ts';

type Mark = { what: 'read'; id: string } | { what: 'allRead' } | { what: 'allSeen' };

export async function mark(which: Mark): Promise<void> {
  if (which.what === 'read')
    await request((client) => client.rpc('mark_notification_read', { notification_id: which.id }));
  else if (which.what === 'allRead')
    await request((client) => client.rpc('mark_all_notifications_as_read'));
  else await request((client) => client.rpc('mark_all_notifications_as_seen'));
}

/** Failures are only logged, because opening the list again retries the call. */
export function useMark() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: mark,
    onError: (error) => console.warn('A notification could not be marked:', error),
    onSettled: () => invalidateInAllTabs(queryClient, [userKeys.notifications]),
  });
}
