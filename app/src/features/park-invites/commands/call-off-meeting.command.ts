// Cancels a meeting that the user hosts. Guests who accepted are notified.
import * as v from 'valibot';
import { userKeys } from '#/entities/users/user-keys.ts';
import { type MyMeeting, withoutMeeting } from '#/features/park-invites/my-meetings.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const callOffInput = v.object({
  parkId: v.number(),
  /** The time as formatted by the server. */
  meetAt: v.string(),
});

export type CallOffInput = v.InferOutput<typeof callOffInput>;

export const command = defineCommand<CallOffInput, unknown>({
  name: 'call_off_meeting',
  input: callOffInput,
  // Needs no idempotency key, because repeating it has the same effect.
  send: ({ parkId, meetAt }, { client, request }) =>
    request(client.rpc('call_off_meeting', { p_park_id: parkId, p_meet_at: meetAt })),
  apply: (input, { response }) =>
    response === undefined
      ? [
          change<readonly MyMeeting[] | undefined>(userKeys.meetings, (meetings) =>
            withoutMeeting(meetings, input),
          ),
        ]
      : [],
  invalidates: () => [],
  queue: {
    replaces: (input, queued) => input.parkId === queued.parkId && input.meetAt === queued.meetAt,
  },
});

export const useCallOff = () => useCommand(command);
