// What somebody and I are to each other, as every screen shows it: the server's answer, and the request that waits. Pure.
import type { Friendship } from '#/data/friendship.ts';
import { type Waiting, withWaiting } from '#/offline/command-queue/waiting.ts';

export const friendshipWith = (answer: Friendship, queue: readonly Waiting[], userId: string) =>
  withWaiting(answer, queue, 'send_friend_request', (shown, input: { userId: string }) =>
    input.userId === userId && shown === 'none' ? 'outgoing' : undefined,
  );
