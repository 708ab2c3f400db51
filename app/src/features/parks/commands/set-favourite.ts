// Makes a park a favourite of mine, or no longer; the heart changes at once and changes back when the server says no.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ParkStatus } from '#/features/parks/queries/park-status.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { unwrap } from '#/i18n/errors.ts';
import { sendOrQueue } from '#/offline/command-queue/send-or-queue.ts';
import { supabase } from '#/data/supabase.ts';
import { newUuid } from '#/core/uuid.ts';

/** Doing it twice changes nothing; without a network it waits. @throws {AppError} */
export async function setFavourite(parkId: number, favourite: boolean): Promise<void> {
  const args = { park_id: parkId, favourite };
  await sendOrQueue({ id: newUuid(), deed: 'set_favourite', args }, () => send(parkId, favourite));
}

async function send(parkId: number, favourite: boolean): Promise<void> {
  const client = await supabase();
  const table = client.from('favourite_parks');
  if (favourite) {
    unwrap(
      await table.upsert(
        { park_id: parkId },
        { onConflict: 'user_id,park_id', ignoreDuplicates: true },
      ),
    );
  } else {
    unwrap(await table.delete().eq('park_id', parkId));
  }
}

export function useSetFavourite(parkId: number) {
  const queryClient = useQueryClient();
  const queryKey = parkKeys.status(parkId);
  const show = (favourite: boolean) => {
    queryClient.setQueryData<ParkStatus>(
      queryKey,
      (status) => status && { ...status, is_favourite: favourite },
    );
    queryClient.setQueryData<number[]>(parkKeys.favourites, (ids) => {
      const others = ids?.filter((id) => id !== parkId);
      return others && favourite ? [parkId, ...others] : others;
    });
  };
  return useMutation({
    // One after the other: of two quick taps the last one counts.
    scope: { id: `favourite-${String(parkId)}` },
    mutationFn: (favourite: boolean) => setFavourite(parkId, favourite),
    onMutate: async (favourite) => {
      // A poll that is under way would show the old heart again.
      await queryClient.cancelQueries({ queryKey });
      show(favourite);
    },
    onError: (_error, favourite) => {
      show(!favourite);
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey }),
        queryClient.invalidateQueries({ queryKey: parkKeys.favourites }),
      ]),
  });
}
