// Leaves the park one is at; the answer says whether to offer a review.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshPresence } from '#/features/check-ins/refresh-presence.ts';
import { unwrapJson } from '#/i18n/errors.ts';
import { sendOrQueue } from '#/offline/command-queue/send-or-queue.ts';
import { supabase } from '#/data/supabase.ts';

export interface CheckOutAnswer {
  status: 'checked_out' | 'not_checked_in';
  park_id: number | null;
  /** The park is not reviewed yet. */
  offer_review: boolean;
}

/** 'queued' without a network: it is sent later. @param key one per tap. @throws {AppError} */
export async function checkOut(key: string): Promise<CheckOutAnswer | 'queued'> {
  const args = { p_key: key };
  return sendOrQueue({ id: key, deed: 'check_out', args }, async () => {
    const client = await supabase();
    return unwrapJson<CheckOutAnswer>(await client.rpc('check_out', args));
  });
}

/** @param parkId where the person is, as far as the screen knows */
export function useCheckOut(parkId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: checkOut,
    onSuccess: (answer) =>
      answer === 'queued' ? undefined : refreshPresence(queryClient, answer.park_id ?? parkId),
  });
}
