// Invalidates several queries.
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Resolves after the queries on screen have been fetched again. */
export async function invalidateAll(
  queryClient: QueryClient,
  keys: readonly QueryKey[],
): Promise<void> {
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
