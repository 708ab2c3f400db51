// Comes to a weekly meeting from now on, skips it once, or comes no more; a later answer replaces the earlier one.
import * as v from 'valibot';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const packAnswer = v.object({
  packTimeId: v.pipe(v.string(), v.uuid()),
  comes: v.boolean(),
  /** ISO 8601: only this once not; null for never again. */
  skip: v.nullable(v.string()),
  parkId: v.number(),
});

export type PackAnswer = v.InferOutput<typeof packAnswer>;

export const command = defineCommand<PackAnswer, unknown>({
  name: 'answer_pack_time',
  input: packAnswer,
  // The same answer again changes nothing, so that it needs no key.
  send: ({ packTimeId, comes, skip }, { client, ask }) =>
    ask(
      client.rpc('answer_pack_time', {
        p_pack_time_id: packTimeId,
        p_comes: comes,
        ...(skip && { p_skip: skip }),
      }),
    ),
  changes: () => [peopleKeys.meetings],
  replaces: (input, queued) => input.packTimeId === queued.packTimeId,
});

export const useAnswerPackTime = () => useCommand(command);
