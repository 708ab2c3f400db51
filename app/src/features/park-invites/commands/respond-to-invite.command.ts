// Accepts or declines an invite to a park. A later response replaces an earlier one.
import * as v from 'valibot';
import { type Respondable, withAccepted } from '#/entities/notifications/notification-responses.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { type MyMeeting, withResponse } from '#/features/park-invites/my-meetings.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { executeCommand } from '#/offline/command-queue/use-command.ts';

const respondInput = v.object({
  inviteId: v.pipe(v.string(), v.uuid()),
  accept: v.boolean(),
  parkId: v.number(),
});

type RespondInput = v.InferOutput<typeof respondInput>;

export const command = defineCommand<RespondInput, unknown>({
  name: 'respond_to_invite',
  input: respondInput,
  // Needs no idempotency key, because repeating it has the same effect.
  send: ({ inviteId, accept }, { client, request }) =>
    request(client.rpc('respond_to_invite', { p_invite_id: inviteId, p_accept: accept })),
  apply: ({ inviteId, accept }, { response }) =>
    response === undefined
      ? [
          change<readonly MyMeeting[] | undefined>(userKeys.meetings, (meetings) =>
            withResponse(meetings, ({ invite_id }) => invite_id === inviteId, accept),
          ),
          change<readonly Respondable[] | undefined>(userKeys.unseen, (notifications) =>
            withAccepted(notifications, ({ data }) => data.invite_id === inviteId, accept),
          ),
        ]
      : [],
  invalidates: () => [userKeys.notifications],
  queue: { replaces: (input, queued) => input.inviteId === queued.inviteId },
});

export const respondToInvite = (input: RespondInput) => executeCommand(command, input);
