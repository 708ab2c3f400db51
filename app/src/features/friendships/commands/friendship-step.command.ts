// The steps of a friendship: send or cancel a request, accept, decline, unfriend. A later step replaces an unsent earlier one.
import * as v from 'valibot';
import { AppError } from '#/core/app-error.ts';
import type { Friendship } from '#/entities/friendships/friendship.ts';
import { type Respondable, withAccepted } from '#/entities/notifications/notification-responses.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { withStep, type WithFriendship } from '#/features/friendships/friendship-with.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { executeCommand, useCommand } from '#/offline/command-queue/use-command.ts';

const stepInput = v.object({
  userId: v.string(),
  step: v.picklist(['send', 'cancel', 'accept', 'decline', 'unfriend']),
});

type FriendshipStepInput = v.InferOutput<typeof stepInput>;
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
  async send({ userId, step }, { client, key, request }) {
    const whose = { p_user_id: userId };
    if (step === 'send')
      return request<Friendship>(client.rpc('send_friend_request', { ...whose, p_key: key }));
    // The other steps need no idempotency key, because repeating them has the same effect.
    const friendship = await request<Friendship>(client.rpc(RPCS[step], whose));
    // The other user has cancelled the request, so it cannot be accepted.
    if (step === 'accept' && friendship !== 'friends')
      throw new AppError('friendships.requestOver', 409);
    return friendship;
  },
  apply: ({ userId, step }, { response }) => [
    change<WithFriendship | undefined>(userKeys.page(userId), (page) =>
      page && response ? { ...page, friendship: response } : withStep(page, step),
    ),
    ...(step === 'accept' || step === 'decline'
      ? [
          change<readonly Respondable[] | undefined>(userKeys.unseen, (notifications) =>
            withAccepted(
              notifications,
              ({ type, sender_id }) => type === 'friendRequest' && sender_id === userId,
              step === 'accept',
            ),
          ),
        ]
      : []),
  ],
  invalidates: ({ userId }) => [
    // Friends see more of a profile.
    userKeys.page(userId),
    userKeys.friends,
    userKeys.searches,
    userKeys.notifications,
  ],
  queue: { replaces: (input, queued) => input.userId === queued.userId },
});

export const useFriendshipStep = () => useCommand(command);

export const takeFriendshipStep = (input: FriendshipStepInput) => executeCommand(command, input);
