// What the loader of a park waits for: its answer, or where none comes, what the list of parks knows.
import type { QueryClient } from '@tanstack/react-query';
import { parkQueryOptions } from '#/entities/parks/park.ts';
import { hasNoResponse } from '#/i18n/errors.ts';
import { fetchWithoutRetry, loadOrOffline } from '#/data/load-or-offline.ts';

/** On a slow connection, what the list knows is better than a skeleton after this time. */
const PATIENCE_MS = 5000;

/** Needed where nothing can be fetched any more, so it is preloaded. */
export const fetchListedPark = () => import('#/entities/parks/park-from-list.ts');

/** @throws {AppError} 503 where nothing answers and nothing is known; otherwise what the query throws */
export async function loadPark(queryClient: QueryClient, parkId: number): Promise<undefined> {
  const options = parkQueryOptions(parkId);
  const showListed = () =>
    fetchListedPark().then(
      (part) => part.showListed(queryClient, parkId),
      () => false,
    );
  const whole = queryClient.getQueryData(options.queryKey)?.listed
    ? fetchWithoutRetry(queryClient, options)
    : loadOrOffline(queryClient, options);
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, PATIENCE_MS, 'late'));
  try {
    if ((await Promise.race([whole, late])) !== 'late') return undefined;
  } catch (error) {
    if (hasNoResponse(error) && (await showListed())) return undefined;
    throw error;
  }
  if (!(await showListed())) await whole;
  // It may still fail, with the park on the screen.
  else whole.catch(() => undefined);
  return undefined;
}
