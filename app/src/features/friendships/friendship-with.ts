// What somebody and I are to each other, as every screen shows it: the server's answer, and the step that waits. Pure.
import type { Friendship } from '#/entities/friendships/friendship.ts';
import type {
  FriendshipStep,
  FriendshipStepInput,
} from '#/features/friendships/commands/friendship-step.command.ts';
import { type Waiting, withWaiting } from '#/offline/command-queue/waiting.ts';

/** What a step makes of a friendship; of any other it makes nothing. */
export const AFTER: Readonly<Record<FriendshipStep, Partial<Record<Friendship, Friendship>>>> = {
  send: { none: 'outgoing', incoming: 'friends' },
  cancel: { outgoing: 'none' },
  accept: { incoming: 'friends' },
  decline: { incoming: 'none' },
  unfriend: { friends: 'none' },
};

interface Shown {
  friendship: Friendship;
  /** The step that is on this device alone until there is a network. */
  waiting?: FriendshipStep;
}

export const friendshipWith = (answer: Friendship, queue: readonly Waiting[], userId: string) =>
  withWaiting<Shown, FriendshipStepInput>(
    { friendship: answer },
    queue,
    'friendship_step',
    (shown, input) => {
      const friendship = AFTER[input.step][shown.friendship];
      return friendship && input.userId === userId
        ? { friendship, waiting: input.step }
        : undefined;
    },
  ).shown;
