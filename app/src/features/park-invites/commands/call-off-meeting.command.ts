// Takes back the invites to a meeting of mine; the guests who accepted are told.
import * as v from 'valibot';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const callOffInput = v.object({
  parkId: v.number(),
  /** As the server writes it. */
  meetAt: v.string(),
});

export type CallOffInput = v.InferOutput<typeof callOffInput>;

export const command = defineCommand<CallOffInput, unknown>({
  name: 'call_off_meeting',
  input: callOffInput,
  // Doing it twice changes nothing, so that it needs no key.
  send: ({ parkId, meetAt }, { client, ask }) =>
    ask(client.rpc('call_off_meeting', { p_park_id: parkId, p_meet_at: meetAt })),
  changes: () => [peopleKeys.meetings],
  replaces: (input, queued) => input.parkId === queued.parkId && input.meetAt === queued.meetAt,
});

export const useCallOff = () => useCommand(command);
