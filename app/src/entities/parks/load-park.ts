// Loads a park: waits for its response, or falls back to the list file.
import type { QueryClient } from '@tanstack/react-query';
import { parkQueryOptions } from '#/entities/parks/park.ts';
import { hasNoResponse } from '#/i18n/errors.ts';
import { fetchWithoutRetry, loadOrOffline } from '#/data/load-or-offline.ts';

/** After this time on a slow connection, show the list file's data instead of a skeleton. */
const TIMEOUT_MS = 5000;

/** This module is preloaded, because it is needed when nothing else can be loaded. */
export const fetchListedPark = () => import('#/entities/parks/park-from-list.ts');

/** @throws {AppError} 503 if offline and the park is not in the list; otherwise the query's error */
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
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, TIMEOUT_MS, 'late'));
  try {
    if ((await Promise.race([whole, late])) !== 'late') return undefined;
  } catch (error) {
    if (hasNoResponse(error) && (await showListed())) return undefined;
    throw error;
  }
  if (!(await showListed())) await whole;
  // The listed park is already shown, so ignore a later failure of the request.
  else whole.catch(() => undefined);
  return undefined;
}
