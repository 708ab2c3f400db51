// For loaders: returns cached data if there is any; when offline without it, throws 503 'Offline'.
import { CancelledError, type FetchQueryOptions, type QueryClient } from '@tanstack/react-query';
import { AppError } from '#/core/app-error.ts';
import { hasNoResponse } from '#/i18n/errors.ts';
import { isOnline } from '#/platform/online.ts';

/** Like `ensureQueryData`, but throws AppError 503 when offline with nothing cached. */
export async function loadOrOffline<Data, Key extends readonly unknown[]>(
  queryClient: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  const cached = queryClient.getQueryData<Data>(options.queryKey);
  if (cached !== undefined) {
    // Old data is shown now and refreshed in the background.
    if (isOnline()) void queryClient.prefetchQuery(options);
    return cached;
  }
  if (!isOnline()) throw new AppError('errors.offline', 503);
  return fetchWithoutRetry(queryClient, options);
}

/** Fetches current data without retries, because the user is waiting and can retry. */
export async function fetchWithoutRetry<Data, Key extends readonly unknown[]>(
  queryClient: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  try {
    return await queryClient.fetchQuery({ ...options, retry: false });
  } catch (error) {
    // The fetch was cancelled because the session ended. Fetch again as a visitor, who may be allowed to read the data.
    if (error instanceof CancelledError)
      return queryClient.fetchQuery({ ...options, retry: false });
    throw error;
  }
}

/** Returns current data, or cached data when offline, for loaders that decide about a redirect. @throws {AppError} */
export async function loadCurrent<Data, Key extends readonly unknown[]>(
  queryClient: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  if (!isOnline()) return loadOrOffline(queryClient, options);
  return fetchWithoutRetry(queryClient, { ...options, staleTime: 0 }).catch((error) => {
    if (!hasNoResponse(error)) throw error;
    return loadOrOffline(queryClient, options);
  });
}
