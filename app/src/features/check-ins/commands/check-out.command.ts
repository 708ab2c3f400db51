// Leaves the park one is at; the answer says whether to offer a review.
import * as v from 'valibot';
import { parkKeys } from '#/data/park-keys.ts';
import { presenceKeys } from '#/features/check-ins/presence-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const checkOutInput = v.object({
  /** Where the person is, as far as the screen knows. */
  parkId: v.optional(v.number()),
  /** ISO 8601. Which stay it ends: of another one it is another command, with another key. */
  startedAt: v.optional(v.string()),
});

/** Of the visit that it ended, which another device may have begun since the screen was told. */
type CheckOutAnswer =
  | {
      status: 'checked_out';
      park_id: number;
      park_name: string;
      /** ISO 8601. */
      started_at: string;
      /** The park is not reviewed yet. */
      offer_review: boolean;
    }
  | { status: 'not_checked_in'; park_id: null };

export const command = defineCommand<v.InferOutput<typeof checkOutInput>, CheckOutAnswer>({
  name: 'check_out',
  label: 'pendingCommands.kind.check_out',
  input: checkOutInput,
  send: (_input, { client, key, ask }) =>
    ask<CheckOutAnswer>(client.rpc('check_out', { p_key: key })),
  changes({ parkId }, answer) {
    const left = answer?.park_id ?? parkId;
    return left === undefined ? [parkKeys.live, parkKeys.myCheckIn] : presenceKeys(left);
  },
  about: ({ parkId }) => (parkId === undefined ? null : { parkId }),
  show(queryClient) {
    queryClient.setQueryData(parkKeys.myCheckIn, null);
    return [parkKeys.myCheckIn];
  },
});

export const useCheckOut = () => useCommand(command);
