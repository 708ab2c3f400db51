// Answers a friend request from inside the list, and marks its notification as read.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mark } from '#/features/notifications/api/notifications.ts';
import { unwrap } from '#/lib/errors.ts';
import { peopleKeys } from '#/lib/people-keys.ts';
import { supabase } from '#/lib/supabase.ts';

interface Answer {
  userId: string;
  accept: boolean;
  notificationId: string;
}

export function useAnswerFriendRequest() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ userId, accept, notificationId }: Answer) => {
      const client = await supabase();
      unwrap(
        await client.rpc(accept ? 'accept_friend_request' : 'decline_friend_request', {
          p_user_id: userId,
        }),
        { not_found: 'notifications.requestOver' },
      );
      await mark({ what: 'read', id: notificationId });
    },
    onSettled: (_data, _error, { userId }) =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: peopleKeys.notifications }),
        queryClient.invalidateQueries({ queryKey: peopleKeys.friends }),
        queryClient.invalidateQueries({ queryKey: peopleKeys.page(userId) }),
      ]),
  });
}
