// Answers a friend request from inside the list; the database marks its notification as read.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerFriendRequest } from '#/data/friendship.ts';
import { peopleKeys } from '#/data/people-keys.ts';

interface Answer {
  userId: string;
  accept: boolean;
}

export function useAnswerFriendRequest() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, accept }: Answer) => answerFriendRequest(userId, accept),
    onSettled: (_data, _error, { userId }) =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: peopleKeys.notifications }),
        queryClient.invalidateQueries({ queryKey: peopleKeys.friends }),
        queryClient.invalidateQueries({ queryKey: peopleKeys.page(userId) }),
      ]),
  });
}
