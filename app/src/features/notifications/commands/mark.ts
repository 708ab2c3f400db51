// Marks my notifications: one or all of them as read, all as seen.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateInAllTabs } from '#/data/tab-sync.ts';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { request } from '#/data/request.ts';

type Mark = { what: 'read'; id: string } | { what: 'allRead' } | { what: 'allSeen' };

export async function mark(which: Mark): Promise<void> {
  if (which.what === 'read')
    await request((client) => client.rpc('mark_notification_read', { notification_id: which.id }));
  else if (which.what === 'allRead')
    await request((client) => client.rpc('mark_all_notifications_as_read'));
  else await request((client) => client.rpc('mark_all_notifications_as_seen'));
}

/** A failure is only logged: the next visit of the list tries again. */
export function useMark() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: mark,
    onError: (error) => console.warn('A notification could not be marked:', error),
    onSettled: () => invalidateInAllTabs(queryClient, [peopleKeys.notifications]),
  });
}
