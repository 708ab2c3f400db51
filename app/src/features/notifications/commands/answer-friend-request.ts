// Answers a friend request from inside the list; the database marks its notification as read.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerFriendRequest, friendshipKeys } from '#/data/friendship.ts';
import { renewEverywhere } from '#/data/own-tabs.ts';

interface Answer {
  userId: string;
  accept: boolean;
}

export function useAnswerFriendRequest() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, accept }: Answer) => answerFriendRequest(userId, accept),
    onSettled: (_data, _error, { userId }) => renewEverywhere(queryClient, friendshipKeys(userId)),
  });
}
