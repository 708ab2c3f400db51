// Stays longer at the park one is at.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { retryUnanswered } from '#/data/retry-policy.ts';
import { supabase } from '#/data/supabase.ts';
import { presenceKeys } from '#/features/check-ins/presence-keys.ts';
import { unwrap } from '#/i18n/errors.ts';
import { invalidateAll } from '#/data/invalidate-all.ts';

interface ExtendStay {
  minutes: number;
  /** One per extension: a retry adds nothing. */
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
    retry: retryUnanswered,
    onSettled: () => invalidateAll(queryClient, presenceKeys(parkId)),
  });
}
