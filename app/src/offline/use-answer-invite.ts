// My answer to an invite to a park: the list of meetings and the notifications both give it.
import { useMutation } from '@tanstack/react-query';
import { runNamed } from '#/offline/command-queue/run-named.ts';
import { usePending } from '#/offline/command-queue/pending.ts';
import { withWaiting } from '#/offline/command-queue/waiting.ts';

interface Answer {
  inviteId: string;
  accept: boolean;
  parkId: number;
}

export const useAnswerInvite = () =>
  useMutation({ mutationFn: (answer: Answer) => runNamed('answer_invite', answer) });

/** @param answer as the server has it; undefined while there is none */
export const useMyAnswer = (answer: boolean | undefined, inviteId: string | undefined) =>
  withWaiting(answer, usePending(), 'answer_invite', (_shown, input: Answer) =>
    input.inviteId === inviteId ? input.accept : undefined,
  ).shown;
