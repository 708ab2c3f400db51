// Invites friends to a park at a time; they get a notification and answer in it.
import * as v from 'valibot';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const inviteInput = v.object({
  parkId: v.number(),
  /** As the person reads it, for as long as no answer names it; the guests, too. */
  parkName: v.string(),
  guests: v.array(v.object({ id: v.string(), name: v.string(), picture: v.nullable(v.string()) })),
  meetAt: v.string(),
});

export type InviteInput = v.InferOutput<typeof inviteInput>;

export const command = defineCommand<InviteInput, unknown>({
  name: 'invite_to_park',
  input: inviteInput,
  send: ({ parkId, guests, meetAt }, { client, key, ask }) =>
    ask(
      client.rpc('invite_to_park', {
        p_park_id: parkId,
        p_friend_ids: guests.map(({ id }) => id),
        p_meet_at: meetAt,
        p_key: key,
      }),
    ),
  changes: () => [peopleKeys.meetings],
  adjustForDelay: (input) => (Date.parse(input.meetAt) < Date.now() ? null : input),
});

export const useInviteFriends = () => useCommand(command);
