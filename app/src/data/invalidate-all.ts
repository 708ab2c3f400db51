// Asks several queries again, after something changed them.
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Resolves once those of them that are on the screen were asked again. */
export async function invalidateAll(
  queryClient: QueryClient,
  keys: readonly QueryKey[],
): Promise<void> {
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
