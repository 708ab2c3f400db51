// Checks in at a park: the server says when the person is elsewhere, and changes nothing until told to switch.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { refreshPresence } from '#/features/check-ins/refresh-presence.ts';
import { LONGEST_STAY, SHORTEST_STAY } from '#/features/check-ins/stay.ts';
import { unwrapJson } from '#/i18n/errors.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { sendOrQueue } from '#/offline/command-queue/send-or-queue.ts';
import { supabase } from '#/data/supabase.ts';

export const checkInInput = v.object({
  parkId: v.pipe(v.number(), v.integer()),
  dogIds: v.array(v.pipe(v.string(), v.uuid())),
  /** Counts where no own dogs are named. */
  dogCount: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10))),
  stayMinutes: v.pipe(v.number(), v.integer(), v.minValue(SHORTEST_STAY), v.maxValue(LONGEST_STAY)),
  /** Leave the other park for this one. */
  switch: v.boolean(),
  /** One per tap: a retry is the same tap. */
  key: v.string(),
});

export type CheckInInput = v.InferOutput<typeof checkInInput>;

export interface CheckInAnswer {
  status: 'checked_in' | 'already_here' | 'elsewhere';
  check_in_id: string | null;
  park_id: number;
  expires_at: string | null;
  elsewhere: { park_id: number; name: string } | null;
}

/** 'queued' without a network: it is sent later. @throws {AppError} */
export async function checkIn(values: CheckInInput): Promise<CheckInAnswer | 'queued'> {
  const input = v.parse(checkInInput, values);
  const args = {
    p_park_id: input.parkId,
    p_dog_ids: input.dogIds,
    ...(input.dogCount !== null && { p_dog_count: input.dogCount }),
    p_stay_minutes: input.stayMinutes,
    p_switch: input.switch,
    p_key: input.key,
  };
  return sendOrQueue({ id: input.key, deed: 'check_in', args }, async () => {
    const client = await supabase();
    return unwrapJson<CheckInAnswer>(await client.rpc('check_in', args));
  });
}

/** Counts people anew after each answer but 'elsewhere', which changed nothing. */
export function useCheckIn() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: checkIn,
    onSuccess: (answer, { parkId }) => {
      if (answer === 'queued' || answer.status === 'elsewhere') return undefined;
      // A good moment: the app may now say that it can be installed.
      writeLocal('checkedIn', 'yes');
      return refreshPresence(queryClient, parkId);
    },
  });
}
