// Makes a park a favourite of mine, or no longer; the heart changes at once and changes back when the server says no.
import type { QueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import type { ParkStatus } from '#/entities/parks/park-status.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const favouriteInput = v.object({ parkId: v.number(), favourite: v.boolean() });

export type FavouriteInput = v.InferOutput<typeof favouriteInput>;

function show(queryClient: QueryClient, { parkId, favourite }: FavouriteInput): void {
  queryClient.setQueryData<ParkStatus>(
    parkKeys.status(parkId),
    (status) => status && { ...status, is_favourite: favourite },
  );
  queryClient.setQueryData<number[]>(parkKeys.favourites, (ids) => {
    const others = ids?.filter((id) => id !== parkId);
    return others && favourite ? [parkId, ...others] : others;
  });
}

const changes = ({ parkId }: FavouriteInput) => [parkKeys.status(parkId), parkKeys.favourites];

export const command = defineCommand<FavouriteInput, unknown>({
  name: 'set_favourite',
  input: favouriteInput,
  // Doing it twice changes nothing, so that it needs no key.
  send({ parkId, favourite }, { client, ask }) {
    const table = client.from('favourite_parks');
    return ask(
      favourite
        ? table.upsert(
            { park_id: parkId },
            { onConflict: 'user_id,park_id', ignoreDuplicates: true },
          )
        : table.delete().eq('park_id', parkId),
    );
  },
  changes,
  codes: { '23503': 'errors.park_not_found' },
  replaces: (input, queued) => input.parkId === queued.parkId,
  optimistic(queryClient, input) {
    show(queryClient, input);
    return () => show(queryClient, { ...input, favourite: !input.favourite });
  },
  show(queryClient, input) {
    show(queryClient, input);
    return changes(input);
  },
});

export const useSetFavourite = (parkId: number) =>
  // One after the other: of two quick taps the last one counts.
  useCommand(command, { scope: { id: `favourite-${String(parkId)}` } });
