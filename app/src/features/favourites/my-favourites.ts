// My favourites, as every screen shows them: the server's answer, and what waits on this device after it. Pure.
import type { FavouriteInput } from '#/features/favourites/commands/set-favourite.command.ts';
import { type Waiting, withWaiting } from '#/offline/command-queue/waiting.ts';

/** Ids, newest first. */
export const myFavourites = (answer: readonly number[], queue: readonly Waiting[]) =>
  withWaiting(answer, queue, 'set_favourite', (ids, { parkId, favourite }: FavouriteInput) => {
    const others = ids.filter((id) => id !== parkId);
    return favourite ? [parkId, ...others] : others;
  });

export const isFavourite = (answer: boolean, queue: readonly Waiting[], parkId: number) =>
  withWaiting(answer, queue, 'set_favourite', (_shown, input: FavouriteInput) =>
    input.parkId === parkId ? input.favourite : undefined,
  );
