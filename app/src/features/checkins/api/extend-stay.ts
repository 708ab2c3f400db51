// Stays longer at the park one is at.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshPresence } from '#/features/checkins/api/refresh-presence.ts';
import { unwrap } from '#/lib/errors.ts';
import { supabase } from '#/lib/supabase.ts';

/** @throws {AppError} `not_checked_in` when the stay is over already */
export async function extendStay(minutes: number): Promise<void> {
  const client = await supabase();
  unwrap(await client.rpc('extend_stay', { p_minutes: minutes }));
}

export function useExtendStay(parkId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: extendStay,
    onSettled: () => refreshPresence(queryClient, parkId),
  });
}
