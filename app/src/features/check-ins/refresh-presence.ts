// What is stale once somebody came or went: exactly the answers that count people.
import type { QueryClient } from '@tanstack/react-query';
import { parkKeys } from '#/data/park-keys.ts';

/** Resolves once those of them that are on the screen were asked again. */
export async function refreshPresence(queryClient: QueryClient, parkId: number): Promise<void> {
  await Promise.all(
    [parkKeys.status(parkId), parkKeys.live].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}
