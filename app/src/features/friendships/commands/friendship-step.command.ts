// The steps of a friendship: request, take back, accept, decline, part. The last one counts.
import * as v from 'valibot';
import { AppError } from '#/core/app-error.ts';
import type { Friendship } from '#/entities/friendships/friendship.ts';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const stepInput = v.object({
  userId: v.string(),
  step: v.picklist(['send', 'cancel', 'accept', 'decline', 'unfriend']),
});

export type FriendshipStepInput = v.InferOutput<typeof stepInput>;
export type FriendshipStep = FriendshipStepInput['step'];

const RPCS = {
  cancel: 'cancel_friend_request',
  accept: 'accept_friend_request',
  decline: 'decline_friend_request',
  unfriend: 'unfriend',
} as const;

export const command = defineCommand<FriendshipStepInput, Friendship>({
  name: 'friendship_step',
  input: stepInput,
  async send({ userId, step }, { client, key, ask }) {
    const whose = { p_user_id: userId };
    if (step === 'send')
      return ask<Friendship>(client.rpc('send_friend_request', { ...whose, p_key: key }));
    // Doing these twice changes nothing, so that they need no key.
    const becomes = await ask<Friendship>(client.rpc(RPCS[step], whose));
    // It was taken back in the meantime.
    if (step === 'accept' && becomes !== 'friends')
      throw new AppError('friendships.requestOver', 409);
    return becomes;
  },
  changes: ({ userId }) => [
    peopleKeys.page(userId),
    peopleKeys.friends,
    peopleKeys.searches,
    peopleKeys.notifications,
  ],
  show(queryClient, { userId }, friendship) {
    queryClient.setQueryData<{ friendship: Friendship }>(
      peopleKeys.page(userId),
      (page) => page && { ...page, friendship },
    );
    // What a friend shows is asked for.
    return [];
  },
  replaces: (input, queued) => input.userId === queued.userId,
});

export const useFriendshipStep = () => useCommand(command);
