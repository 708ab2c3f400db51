// For loaders: what is cached is good enough, and without a network and a cache the answer is 503 'Offline'.
import { CancelledError, type FetchQueryOptions, type QueryClient } from '@tanstack/react-query';
import { AppError } from '#/core/app-error.ts';
import { isUnanswered } from '#/i18n/errors.ts';
import { isOnline } from '#/platform/online.ts';

/** Like `ensureQueryData`, but throws AppError 503 where nothing is cached and there is no network. */
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
  return fetchWhole(queryClient, options);
}

/** The answer of now. A person is waiting: trying again after a failure is theirs to decide. */
export async function fetchWhole<Data, Key extends readonly unknown[]>(
  queryClient: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  try {
    return await queryClient.fetchQuery({ ...options, retry: false });
  } catch (error) {
    // Forgotten on its way with the person whose session has just ended: a visitor may have it.
    if (error instanceof CancelledError)
      return queryClient.fetchQuery({ ...options, retry: false });
    throw error;
  }
}

/** For what decides where a person is led: the answer of now, and what is cached only without a network. @throws {AppError} */
export async function loadCurrent<Data, Key extends readonly unknown[]>(
  queryClient: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  if (!isOnline()) return loadOrOffline(queryClient, options);
  return fetchWhole(queryClient, { ...options, staleTime: 0 }).catch((error) => {
    if (!isUnanswered(error)) throw error;
    return loadOrOffline(queryClient, options);
  });
}
