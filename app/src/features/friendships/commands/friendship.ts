// The steps of a friendship: request, take back, accept, decline, part. Each is one function of the database.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '#/i18n/errors.ts';
import { answerFriendRequest, type Friendship } from '#/data/friendship.ts';
import { getOutbox } from '#/offline/command-queue/state.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { sendOrQueue } from '#/offline/command-queue/send-or-queue.ts';
import { supabase } from '#/data/supabase.ts';
import { newUuid } from '#/core/uuid.ts';

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

/** 'queued' for a request without a network. @throws {AppError} */
async function sendRequest(userId: string): Promise<'done' | 'queued'> {
  const args = { p_user_id: userId, p_key: newUuid() };
  return sendOrQueue({ id: args.p_key, deed: 'send_friend_request', args }, async () => {
    const client = await supabase();
    unwrap(await client.rpc('send_friend_request', args));
    return 'done' as const;
  });
}

/** True when the request had not left this device yet, and never will. */
async function takeBackQueued(userId: string): Promise<boolean> {
  const waiting = getOutbox().find(
    ({ deed, args }) => deed === 'send_friend_request' && args.p_user_id === userId,
  );
  if (!waiting) return false;
  const { discard } = await import('#/offline/command-queue/queue.ts');
  await discard(waiting.id);
  return true;
}

/** @throws {AppError} */
export async function takeFriendshipStep({ userId, step }: TakeStep): Promise<'done' | 'queued'> {
  if (step === 'send') return sendRequest(userId);
  if (step === 'cancel' && (await takeBackQueued(userId)) && !navigator.onLine) return 'done';
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
  return useMutation({
    mutationFn: takeFriendshipStep,
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
    onSettled: (_data, _error, { userId }) =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: peopleKeys.page(userId) }),
        queryClient.invalidateQueries({ queryKey: peopleKeys.friends }),
        queryClient.invalidateQueries({ queryKey: peopleKeys.searches }),
      ]),
  });
}
