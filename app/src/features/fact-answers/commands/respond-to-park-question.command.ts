// Answers the question about a park that is shown during a visit.
import * as v from 'valibot';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { LIFETIMES_MS } from '#/offline/command-queue/command-lifetimes.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const answerInput = v.object({
  checkInId: v.string(),
  parkId: v.number(),
  /** The answer; null if the user does not know. */
  value: v.nullable(v.string()),
});

export const command = defineCommand<v.InferOutput<typeof answerInput>, { agreed: string | null }>({
  name: 'respond_to_park_question',
  input: answerInput,
  send: ({ checkInId, value }, { client, key, request }) =>
    request(
      client.rpc('respond_to_park_question', {
        p_check_in_id: checkInId,
        p_value: value,
        p_key: key,
      }),
    ),
  // Remove the question, because each visit has only one.
  apply: ({ checkInId }) => [change(parkKeys.question(checkInId), () => null)],
  invalidates: ({ parkId }) => [parkKeys.park(parkId), parkKeys.status(parkId)],
  queue: { expiresAfterMs: LIFETIMES_MS.parkAnswer },
});

export const useRespondToParkQuestion = () => useCommand(command, { isOptimistic: true });
