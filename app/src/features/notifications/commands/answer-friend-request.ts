// Answers a friend request from inside the list, and marks its notification as read.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mark } from '#/features/notifications/commands/mark.ts';
import { answerFriendRequest } from '#/data/friendship.ts';
import { peopleKeys } from '#/data/people-keys.ts';

interface Answer {
  userId: string;
  accept: boolean;
  notificationId: string;
}

export function useAnswerFriendRequest() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ userId, accept, notificationId }: Answer) => {
      await answerFriendRequest(userId, accept);
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
