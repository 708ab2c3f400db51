// My answers to invites and friend requests: lists of their own and the notifications both give them.
import { useMutation } from '@tanstack/react-query';
import { runNamed } from '#/offline/command-queue/run-named.ts';

interface InviteAnswer {
  inviteId: string;
  accept: boolean;
  parkId: number;
}

interface FriendAnswer {
  userId: string;
  accept: boolean;
}

export const useAnswerInvite = () =>
  useMutation({ mutationFn: (answer: InviteAnswer) => runNamed('answer_invite', answer) });

export const useAnswerFriendRequest = () =>
  useMutation({
    mutationFn: ({ userId, accept }: FriendAnswer) =>
      runNamed('friendship_step', { userId, step: accept ? 'accept' : 'decline' }),
  });
