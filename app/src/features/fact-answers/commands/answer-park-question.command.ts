// Answers the question of a visit.
import type { QueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { DAY_MS } from '#/core/durations.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const answerInput = v.object({
  checkInId: v.string(),
  parkId: v.number(),
  /** Null: they do not know. */
  value: v.nullable(v.string()),
});

export const command = defineCommand<v.InferOutput<typeof answerInput>, { agreed: string | null }>({
  name: 'answer_park_question',
  input: answerInput,
  send: ({ checkInId, value }, { client, key, ask }) =>
    ask(
      client.rpc('answer_park_question', { p_check_in_id: checkInId, p_value: value, p_key: key }),
    ),
  changes: ({ parkId, checkInId }) => [
    parkKeys.question(checkInId),
    parkKeys.park(parkId),
    parkKeys.status(parkId),
  ],
  // The question is gone at once, and comes back where the answer was refused.
  optimistic(queryClient: QueryClient, { checkInId }) {
    const key = parkKeys.question(checkInId);
    const before = queryClient.getQueryData(key);
    queryClient.setQueryData(key, null);
    return () => void queryClient.setQueryData(key, before);
  },
  // It never asks again on this visit.
  show: (_queryClient, { checkInId }) => [parkKeys.question(checkInId)],
  // The server takes answers to a visit for so long.
  adjustForDelay: (input, waited) => (waited > DAY_MS ? null : input),
});

export const useAnswerParkQuestion = () => useCommand(command);
