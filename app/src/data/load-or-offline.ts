// For loaders: what is cached is good enough, and without a network and a cache the answer is 503 'Offline'.
import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query';
import { AppError } from '#/core/app-error.ts';
import { isUnanswered } from '#/i18n/errors.ts';
import { isOnline } from '#/platform/online.ts';

/**
 * Like `ensureQueryData`, but never waits for a network that is not there.
 * @throws {AppError} 503 when offline with nothing cached; otherwise what the query throws
 */
export async function loadOrOffline<Data, Key extends readonly unknown[]>(
  queryClient: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  const cached = queryClient.getQueryData<Data>(options.queryKey);
  if (cached !== undefined) {
    // Old data is shown now and renewed behind it.
    if (isOnline()) void queryClient.prefetchQuery(options);
    return cached;
  }
  if (!isOnline()) throw new AppError('errors.offline', 503);
  // A person is waiting: trying again is theirs to decide.
  return queryClient.fetchQuery({ ...options, retry: false });
}

/**
 * For what decides where a person is led: the answer of now, and what is cached only without a network.
 * @throws {AppError} as `loadOrOffline`
 */
export async function loadCurrent<Data, Key extends readonly unknown[]>(
  queryClient: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  if (!isOnline()) return loadOrOffline(queryClient, options);
  return queryClient.fetchQuery({ ...options, staleTime: 0, retry: false }).catch((error) => {
    if (!isUnanswered(error)) throw error;
    return loadOrOffline(queryClient, options);
  });
}
