// Ends a visit, and says whether to offer a review; or takes it back, as if it had not been.
import * as v from 'valibot';
import { parkKeys, visitKeys } from '#/entities/parks/park-keys.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const checkOutInput = v.object({
  visitId: v.pipe(v.string(), v.uuid()),
  parkId: v.number(),
  undo: v.optional(v.boolean()),
});

type CheckOutAnswer =
  | {
      status: 'checked_out';
      park_id: number;
      park_name: string;
      started_at: string;
      /** The park is not reviewed yet. */
      offer_review: boolean;
    }
  /** It ended before, maybe by another device. */
  | { status: 'already_ended' }
  /** What it was a switch from goes on. */
  | { status: 'undone'; stay: MyCheckIn | null };

export type CheckOutInput = v.InferOutput<typeof checkOutInput>;

export const command = defineCommand<CheckOutInput, CheckOutAnswer>({
  name: 'check_out',
  input: checkOutInput,
  send: ({ visitId, undo }, { client, key, ask }) =>
    ask<CheckOutAnswer>(
      client.rpc('check_out', { p_visit_id: visitId, p_key: key, ...(undo && { p_undo: true }) }),
    ),
  changes: ({ parkId }, answer) => [
    ...visitKeys(parkId),
    ...(answer?.status === 'undone' && answer.stay ? visitKeys(answer.stay.park_id) : []),
  ],
  replaces: (input, queued) => input.visitId === queued.visitId,
  show(queryClient, _input, answer) {
    // The person may be elsewhere by another device.
    if (answer.status === 'already_ended') return [];
    queryClient.setQueryData(parkKeys.myCheckIn, answer.status === 'undone' ? answer.stay : null);
    return [parkKeys.myCheckIn];
  },
});

export const useCheckOut = () => useCommand(command);
