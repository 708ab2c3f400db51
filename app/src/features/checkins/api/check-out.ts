// Leaves the park one is at; the answer says whether to offer a review.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshPresence } from '#/features/checkins/api/refresh-presence.ts';
import { unwrap } from '#/lib/errors.ts';
import { retryLostAnswer } from '#/lib/retry-lost-answer.ts';
import { supabase } from '#/lib/supabase.ts';

export interface CheckOutAnswer {
  status: 'checked_out' | 'not_checked_in';
  park_id: number | null;
  offer_review: boolean;
}

/** @param key one per tap. @throws {AppError} */
export async function checkOut(key: string): Promise<CheckOutAnswer> {
  const client = await supabase();
  return unwrap(await client.rpc('check_out', { p_key: key })) as unknown as CheckOutAnswer;
}

/** @param parkId where the person is, as far as the screen knows */
export function useCheckOut(parkId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: checkOut,
    retry: retryLostAnswer,
    onSuccess: (answer) => refreshPresence(queryClient, answer.park_id ?? parkId),
  });
}
