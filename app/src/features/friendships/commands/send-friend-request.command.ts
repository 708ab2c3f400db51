// Sends a friend request.
import * as v from 'valibot';
import { friendshipKeys } from '#/data/friendship.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';

const requestInput = v.object({ userId: v.string() });

export const command = defineCommand<v.InferOutput<typeof requestInput>, unknown>({
  name: 'send_friend_request',
  label: 'pendingCommands.kind.send_friend_request',
  input: requestInput,
  send: ({ userId }, { client, key, ask }) =>
    ask(client.rpc('send_friend_request', { p_user_id: userId, p_key: key })),
  changes: ({ userId }) => friendshipKeys(userId),
  about: ({ userId }) => ({ userId }),
});
