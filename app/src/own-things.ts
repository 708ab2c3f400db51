// Fetches what a logged-in person needs in a park without reception, before they are in one: own page, dogs, favourites, what they agreed to.
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { dogsOfOwnerQueryOptions } from '#/features/dogs/queries/dogs-of-owner.ts';
import { favouritesQueryOptions } from '#/features/parks/queries/favourites.ts';
import { myConsentsQueryOptions } from '#/features/consents/queries/consents.ts';
import { userPageQueryOptions } from '#/features/users/queries/user-page.ts';
import { whenIdle } from '#/core/preload-routes.ts';
import { queryClient } from '#/data/query-client.ts';
import { restored } from '#/offline/query-cache/restored.ts';
import { getSession, subscribeSession } from '#/data/session/session.ts';
import { STALE } from '#/data/stale.ts';

/** Whoever opens the app often is not asked for each time. */
async function renew<Data, Key extends QueryKey>(
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<void> {
  const fetched = queryClient.getQueryState(options.queryKey)?.dataUpdatedAt ?? 0;
  if (Date.now() - fetched > STALE.hour)
    await queryClient.prefetchQuery({ ...options, staleTime: 0, retry: false });
}

/** One request after the other, each when the device has nothing better to do; a failure is for the next start. */
async function fetchOwnThings(userId: string): Promise<void> {
  await restored();
  for (const ask of [
    () => renew(userPageQueryOptions(userId)),
    () => renew(dogsOfOwnerQueryOptions(userId)),
    () => renew(favouritesQueryOptions()),
    () => renew(myConsentsQueryOptions()),
  ]) {
    await new Promise<void>((resolve) => {
      whenIdle(resolve);
    });
    if (!navigator.onLine || getSession().userId !== userId) return;
    await ask();
  }
}

/** Call once, when the first screen stands: from then on, once for whoever is logged in. */
export function startOwnThings(): void {
  let last: string | null = null;
  const look = () => {
    const { status, userId } = getSession();
    const now = status === 'in' ? userId : null;
    if (now !== null && now !== last) void fetchOwnThings(now);
    last = now;
  };
  subscribeSession(look);
  look();
}
