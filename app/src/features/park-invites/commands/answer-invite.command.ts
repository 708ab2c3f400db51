// Accepts or declines an invite to a park; a later answer replaces the earlier one.
// Called by name from offline/use-answers.ts, because notifications answer too.
import * as v from 'valibot';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';

const answerInput = v.object({
  inviteId: v.pipe(v.string(), v.uuid()),
  accept: v.boolean(),
  parkId: v.number(),
});

export type AnswerInput = v.InferOutput<typeof answerInput>;

export const command = defineCommand<AnswerInput, unknown>({
  name: 'answer_invite',
  input: answerInput,
  // The same answer again changes nothing, so that it needs no key.
  send: ({ inviteId, accept }, { client, ask }) =>
    ask(client.rpc('respond_to_invite', { p_invite_id: inviteId, p_accept: accept })),
  changes: () => [peopleKeys.meetings, peopleKeys.notifications],
  replaces: (input, queued) => input.inviteId === queued.inviteId,
});
