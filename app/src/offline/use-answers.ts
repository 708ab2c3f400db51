// My answers to invites and friend requests: lists of their own and the notifications both give them.
import { useMutation } from '@tanstack/react-query';
import { runNamed } from '#/offline/command-queue/run-named.ts';
import { useQueuedCommands } from '#/offline/command-queue/queued-commands.ts';
import { withWaiting } from '#/offline/command-queue/waiting.ts';

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

/** @param answer as the server has it; undefined while there is none */
export function useMyAnswer(
  answer: boolean | undefined,
  { inviteId, userId }: { inviteId?: string | undefined; userId?: string | null | undefined },
): boolean | undefined {
  const queue = useQueuedCommands();
  const { shown } = withWaiting(answer, queue, 'answer_invite', (_shown, input: InviteAnswer) =>
    input.inviteId === inviteId ? input.accept : undefined,
  );
  return withWaiting(
    shown,
    queue,
    'friendship_step',
    (_shown, input: { userId: string; step: string }) =>
      input.userId === userId ? { accept: true, decline: false }[input.step] : undefined,
  ).shown;
}
