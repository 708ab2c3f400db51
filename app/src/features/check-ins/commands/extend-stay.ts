// Stays longer at the park one is at.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshPresence } from '#/features/check-ins/refresh-presence.ts';
import { unwrap } from '#/i18n/errors.ts';
import { retryLostAnswer } from '#/offline/command-queue/retry-lost-answer.ts';
import { supabase } from '#/data/supabase.ts';

interface ExtendStay {
  minutes: number;
  /** One per deed: a retry adds nothing. */
  key: string;
}

/** @throws {AppError} `not_checked_in` when the stay is over already */
export async function extendStay({ minutes, key }: ExtendStay): Promise<void> {
  const client = await supabase();
  unwrap(await client.rpc('extend_stay', { p_minutes: minutes, p_key: key }));
}

/** A lost answer is asked for again by the same key. @param parkId where the person is */
export function useExtendStay(parkId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: extendStay,
    retry: retryLostAnswer,
    onSettled: () => refreshPresence(queryClient, parkId),
  });
}
