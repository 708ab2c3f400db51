// Invites friends to a park at a certain time. They respond in the notification.
import * as v from 'valibot';
import { userKeys } from '#/entities/users/user-keys.ts';
import { type MyMeeting, withInvite } from '#/features/park-invites/my-meetings.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const inviteInput = v.object({
  parkId: v.number(),
  /** Shown until the server has responded, together with the guests' names. */
  parkName: v.string(),
  guests: v.array(v.object({ id: v.string(), name: v.string(), picture: v.nullable(v.string()) })),
  meetAt: v.string(),
});

export type InviteInput = v.InferOutput<typeof inviteInput>;

export const command = defineCommand<InviteInput, unknown>({
  name: 'invite_to_park',
  input: inviteInput,
  send: ({ parkId, guests, meetAt }, { client, key, request }) =>
    request(
      client.rpc('invite_to_park', {
        p_park_id: parkId,
        p_friend_ids: guests.map(({ id }) => id),
        p_meet_at: meetAt,
        p_key: key,
      }),
    ),
  apply: (input, { response }) =>
    response === undefined
      ? [
          change<readonly MyMeeting[] | undefined>(userKeys.meetings, (meetings) =>
            withInvite(meetings, input),
          ),
        ]
      : [],
  invalidates: () => [],
  queue: { adjustForDelay: (input) => (Date.parse(input.meetAt) < Date.now() ? null : input) },
});

export const useInviteFriends = () => useCommand(command);
