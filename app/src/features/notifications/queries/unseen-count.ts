// The number of unseen notifications, for the badge of the navbar.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { AppError } from '#/core/app-error.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { useSession } from '#/data/session/session.ts';
import { STALE } from '#/data/stale.ts';
import { supabase } from '#/data/supabase.ts';

/** Counts the notifications whose given timestamp is null. */
const countQueryOptions = (userId: string | null, lacks: 'seen_at' | 'read_at') =>
  queryOptions({
    queryKey: [...userKeys.unseenCount, userId, lacks],
    enabled: userId !== null,
    staleTime: STALE.minute,
    queryFn: async () => {
      const client = await supabase();
      const { count, error } = await client
        .from('notifications')
        .select('id', { count: 'exact', head: true })
        .eq('receiver_id', userId ?? '')
        .eq('is_ready', true)
        .is(lacks, null);
      // The response to a HEAD request has no body with details.
      if (error) throw new AppError('errors.generic', 500, { cause: error });
      return count ?? 0;
    },
  });

/** Returns 0 if logged out or loading. @param isEnabled false to return the cached count without a request */
export function useUnseenCount(isEnabled: boolean): number {
  const { status, userId } = useSession();
  const options = countQueryOptions(status === 'in' ? userId : null, 'seen_at');
  const { data } = useQuery({ ...options, enabled: isEnabled && options.enabled !== false });
  return data ?? 0;
}

/** The number of unread notifications. @param isAsked false if the list already contains all of them */
export const useUnreadCount = (userId: string, isAsked: boolean): number | undefined =>
  useQuery({ ...countQueryOptions(userId, 'read_at'), enabled: isAsked }).data;
