// Marks my notifications: one or all of them as read, all as seen.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '#/i18n/errors.ts';
import { renewEverywhere } from '#/data/own-tabs.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { supabase } from '#/data/supabase.ts';

type Mark = { what: 'read'; id: string } | { what: 'allRead' } | { what: 'allSeen' };

export async function mark(which: Mark): Promise<void> {
  const client = await supabase();
  switch (which.what) {
    case 'read':
      unwrap(await client.rpc('mark_notification_read', { notification_id: which.id }));
      break;
    case 'allRead':
      unwrap(await client.rpc('mark_all_notifications_as_read'));
      break;
    case 'allSeen':
      unwrap(await client.rpc('mark_all_notifications_as_seen'));
      break;
  }
}

/** A failure is only logged: the next visit of the list tries again. */
export function useMark() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: mark,
    onError: (error) => console.warn('A notification could not be marked:', error),
    onSettled: () => renewEverywhere(queryClient, [peopleKeys.notifications]),
  });
}
