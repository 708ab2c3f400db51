// Stays longer on a visit.
import * as v from 'valibot';
import { parkKeys, visitKeys } from '#/entities/parks/park-keys.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const extendInput = v.object({
  visitId: v.pipe(v.string(), v.uuid()),
  parkId: v.number(),
  minutes: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** ISO 8601, not sent: the end as it was on the screen, so that a second tap after it moved is no repeat for the queue. */
  from: v.string(),
});

type ExtendAnswer =
  | { status: 'extended'; check_in_id: string; expires_at: string }
  | { status: 'already_ended' };

export type ExtendInput = v.InferOutput<typeof extendInput>;

export const command = defineCommand<ExtendInput, ExtendAnswer>({
  name: 'extend_stay',
  input: extendInput,
  send: ({ visitId, minutes }, { client, key, ask }) =>
    ask<ExtendAnswer>(
      client.rpc('extend_stay', { p_visit_id: visitId, p_minutes: minutes, p_key: key }),
    ),
  changes: ({ parkId }) => visitKeys(parkId),
  show(queryClient, _input, answer) {
    if (answer.status === 'already_ended') return [];
    const { check_in_id, expires_at } = answer;
    queryClient.setQueryData<MyCheckIn | null>(parkKeys.myCheckIn, (visit) =>
      visit?.check_in_id === check_in_id ? { ...visit, expires_at } : visit,
    );
    return [parkKeys.myCheckIn];
  },
});

export const useExtendStay = () => useCommand(command);
