// The friendship between another user and the current user, with unsent steps applied. Pure.
import type { Friendship } from '#/entities/friendships/friendship.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import type { FriendshipStep } from '#/features/friendships/commands/friendship-step.command.ts';
import { applyUnsent, type UnsentCommand } from '#/offline/command-queue/unsent-commands.ts';

/** The friendship after each step, by the friendship before it. A missing entry means that the step has no effect. */
export const AFTER: Readonly<Record<FriendshipStep, Partial<Record<Friendship, Friendship>>>> = {
  send: { none: 'outgoing', incoming: 'friends' },
  cancel: { outgoing: 'none' },
  accept: { incoming: 'friends' },
  decline: { incoming: 'none' },
  unfriend: { friends: 'none' },
};

export interface WithFriendship {
  friendship: Friendship;
  /** The last unsent step, if any. */
  queuedStep?: FriendshipStep;
}

export function withStep<Page extends WithFriendship | undefined>(
  page: Page,
  step: FriendshipStep,
): Page {
  const friendship = page && AFTER[step][page.friendship];
  return friendship ? { ...page, friendship, queuedStep: step } : page;
}

export const friendshipWith = (
  userId: string,
  friendship: Friendship,
  unsent: readonly UnsentCommand[],
): WithFriendship =>
  applyUnsent<WithFriendship>(unsent, userKeys.page(userId), { friendship }).data;
