// Adds a park to the user's favourites or removes it.
import * as v from 'valibot';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import type { ParkStatus } from '#/entities/parks/park-status.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { executeCommand, useCommand } from '#/offline/command-queue/use-command.ts';

const favouriteInput = v.object({ parkId: v.number(), favourite: v.boolean() });

type FavouriteInput = v.InferOutput<typeof favouriteInput>;

export const command = defineCommand<FavouriteInput, unknown>({
  name: 'set_favourite',
  input: favouriteInput,
  // Needs no idempotency key, because repeating it has the same effect.
  send({ parkId, favourite }, { client, request }) {
    const table = client.from('favourite_parks');
    return request(
      favourite
        ? table.upsert(
            { park_id: parkId },
            { onConflict: 'user_id,park_id', ignoreDuplicates: true },
          )
        : table.delete().eq('park_id', parkId),
      { '23503': 'errors.park_not_found', too_many: 'favourites.tooMany' },
    );
  },
  apply: ({ parkId, favourite }) => [
    change<Pick<ParkStatus, 'is_favourite'> | undefined>(
      parkKeys.status(parkId),
      (status) => status && { ...status, is_favourite: favourite },
    ),
    change<readonly number[] | undefined>(parkKeys.favourites, (ids) => {
      const others = ids?.filter((id) => id !== parkId);
      return others && favourite ? [parkId, ...others] : others;
    }),
  ],
  invalidates: () => [],
  queue: { replaces: (input, queued) => input.parkId === queued.parkId },
});

export const useSetFavourite = (parkId: number) =>
  // Taps are saved one after the other, so the last of two quick taps wins.
  useCommand(command, { isOptimistic: true, scope: { id: `favourite-${String(parkId)}` } });

export const addFavourite = (parkId: number) =>
  executeCommand(command, { parkId, favourite: true });
