// Prefetches a logged-in user's own data for a park without reception: page, dogs, favourites and consents.
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { dogsOfOwnerQueryOptions, keptDogsQueryOptions } from '#/features/dogs/queries/dogs.ts';
import { favouritesQueryOptions } from '#/features/favourites/queries/favourites.ts';
import { myConsentsQueryOptions } from '#/features/consents/queries/consents.ts';
import { userPageQueryOptions } from '#/features/users/queries/user-page.ts';
import { whenIdle } from '#/core/preload-routes.ts';
import { queryClient } from '#/data/query-client.ts';
import { cacheRestored } from '#/data/cache-restored.ts';
import { getSession, subscribeSession } from '#/data/session/session.ts';
import { STALE } from '#/data/stale.ts';
import { isOnline } from '#/platform/online.ts';

/** Refetches at most once an hour. */
async function refetchIfOld<Data, Key extends QueryKey>(
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<void> {
  const fetched = queryClient.getQueryState(options.queryKey)?.dataUpdatedAt ?? 0;
  if (Date.now() - fetched > STALE.hour)
    await queryClient.prefetchQuery({ ...options, staleTime: 0, retry: false });
}

/** One request at a time while the browser is idle; failures are retried at the next start. */
async function prefetchOwnData(userId: string): Promise<void> {
  await cacheRestored();
  for (const fetchOne of [
    () => refetchIfOld(userPageQueryOptions(userId)),
    () => refetchIfOld(dogsOfOwnerQueryOptions(userId)),
    () => refetchIfOld(keptDogsQueryOptions()),
    () => refetchIfOld(favouritesQueryOptions()),
    () => refetchIfOld(myConsentsQueryOptions()),
  ]) {
    await new Promise<void>((resolve) => whenIdle(resolve));
    if (!isOnline() || getSession().userId !== userId) return;
    await fetchOne();
  }
}

/** Call once, after the first screen is rendered; then each login prefetches once. */
export function startPrefetchOfOwnData(): void {
  let last: string | null = null;
  const followSession = () => {
    const { status, userId } = getSession();
    const now = status === 'in' ? userId : null;
    if (now !== null && now !== last) void prefetchOwnData(now);
    last = now;
  };
  subscribeSession(followSession);
  followSession();
}
