// The steps of a friendship: request, take back, accept, decline, part. Each is one function of the database.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerFriendRequest, type Friendship, friendshipKeys } from '#/data/friendship.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { supabase } from '#/data/supabase.ts';
import { command as sendRequest } from '#/features/friendships/commands/send-friend-request.command.ts';
import { unwrap } from '#/i18n/errors.ts';
import { useIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';
import { getPending } from '#/offline/command-queue/pending.ts';
import { runCommand } from '#/offline/command-queue/run-command.ts';
import { renewEverywhere } from '#/data/own-tabs.ts';
import { isOnline } from '#/platform/online.ts';

export type FriendshipStep = 'send' | 'cancel' | 'accept' | 'decline' | 'unfriend';

/** What the friendship becomes, shown at once and taken back when the server refuses. */
const AFTER: Readonly<Record<FriendshipStep, Friendship>> = {
  send: 'outgoing',
  cancel: 'none',
  accept: 'friends',
  decline: 'none',
  unfriend: 'none',
};

interface TakeStep {
  userId: string;
  step: FriendshipStep;
}

/** True when the request had not left this device yet, and never will. */
async function takeBackQueued(userId: string): Promise<boolean> {
  const isRequest = (input: unknown) => (input as { userId?: string }).userId === userId;
  const queued = getPending().find(
    ({ command, input }) => command === sendRequest.name && isRequest(input),
  );
  if (!queued) return false;
  const { discard } = await import('#/offline/command-queue/queue.ts');
  await discard(queued.id);
  return true;
}

/** 'queued' for a request without a network. @param key the request's idempotency key @throws {AppError} */
async function takeFriendshipStep({ userId, step }: TakeStep, key: string): Promise<unknown> {
  if (step === 'send') return runCommand(sendRequest, { userId }, { key });
  if (step === 'cancel' && (await takeBackQueued(userId)) && !isOnline()) return 'done';
  if (step === 'accept' || step === 'decline') await answerFriendRequest(userId, step === 'accept');
  else {
    const client = await supabase();
    const name = step === 'cancel' ? 'cancel_friend_request' : 'unfriend';
    unwrap(await client.rpc(name, { p_user_id: userId }));
  }
  return 'done';
}

/** Only the shape that this mutation changes of a cached user page. */
interface CachedPage {
  friendship: Friendship;
}

export function useFriendshipStep() {
  const queryClient = useQueryClient();
  const keys = useIdempotencyKey();
  return useMutation({
    mutationFn: (taken: TakeStep) => takeFriendshipStep(taken, keys.of(taken)),
    onSuccess: keys.done,
    onMutate: async ({ userId, step }) => {
      const key = peopleKeys.page(userId);
      await queryClient.cancelQueries({ queryKey: key });
      const before = queryClient.getQueryData<CachedPage | null>(key);
      if (before) queryClient.setQueryData(key, { ...before, friendship: AFTER[step] });
      return { before };
    },
    onError: (_error, { userId }, context) => {
      if (context?.before) queryClient.setQueryData(peopleKeys.page(userId), context.before);
    },
    onSettled: (outcome, _error, { userId }) =>
      outcome === 'queued' ? undefined : renewEverywhere(queryClient, friendshipKeys(userId)),
  });
}
