// Ends a visit, or deletes it if `undo` is set. The response contains whether to offer a review.
import * as v from 'valibot';
import { headcountKeys, parkKeys } from '#/entities/parks/park-keys.ts';
import { type MyVisit, withCheckOut } from '#/features/check-ins/my-visit.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const checkOutInput = v.object({
  visitId: v.pipe(v.string(), v.uuid()),
  parkId: v.number(),
  undo: v.optional(v.boolean()),
});

type CheckOutResponse =
  | {
      status: 'checked_out';
      park_id: number;
      park_name: string;
      started_at: string;
      offer_review: boolean;
      /** The dogs on the visit that the user owns. */
      own_dog_ids: string[];
    }
  /** The visit had already ended, perhaps because the user checked out on another device. */
  | { status: 'already_ended' }
  /** The visit was undone. If it had replaced another visit, that one continues and is `stay`. */
  | { status: 'undone'; stay: MyCheckIn | null };

export type CheckOutInput = v.InferOutput<typeof checkOutInput>;

export const command = defineCommand<CheckOutInput, CheckOutResponse>({
  name: 'check_out',
  input: checkOutInput,
  send: ({ visitId, undo }, { client, key, request }) =>
    request<CheckOutResponse>(
      client.rpc(undo ? 'undo_check_in' : 'check_out', { p_visit_id: visitId, p_key: key }),
    ),
  apply(input, { response }) {
    if (!response)
      return [
        change<MyVisit | null | undefined>(parkKeys.myCheckIn, (visit) =>
          withCheckOut(visit, input),
        ),
      ];
    // Refetch the visit, because the user may have checked in elsewhere on another device.
    if (response.status === 'already_ended') return [];
    const stay = response.status === 'undone' ? response.stay : null;
    return [change(parkKeys.myCheckIn, () => stay)];
  },
  invalidates: ({ parkId }, response) => [
    ...headcountKeys(parkId),
    ...(response?.status === 'undone' && response.stay ? headcountKeys(response.stay.park_id) : []),
  ],
  queue: { replaces: (input, queued) => input.visitId === queued.visitId },
});

export const useCheckOut = () => useCommand(command);
