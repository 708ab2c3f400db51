// The reason why a park was removed: it was a duplicate, has closed permanently, or never was a dog park.
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { parkQueryOptions, type Park, usePark } from '#/entities/parks/park.ts';
import type { LatLong } from '#/core/distance.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';
import { AppError } from '#/core/app-error.ts';
import type { ParkClaim } from '../../../../../shared/enums.ts';

export interface RemovedPark {
  reason: ParkClaim;
  /** The park that a duplicate was merged into. */
  merged_into: number | null;
  /** Location and names, by language, of a closed park; null for a place that never was a dog park. */
  park: (LatLong & { names: Partial<Record<string, string>> }) | null;
}

const removedParkQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: parkKeys.removed(parkId),
    queryFn: () =>
      requestJson<RemovedPark | null>((client) =>
        client.rpc('removed_park', { p_park_id: parkId }),
      ),
    staleTime: STALE.minute,
  });

/** Returns true if a park is not public. Its submitter, and devices that cached it, can still load its row. */
const isGone = (park: Park | undefined, error: unknown) =>
  park?.status === 'rejected' || (error instanceof AppError && error.status === 404);

/** For loaders, after loading a park has failed. Resolves if the park was removed, and rethrows the error otherwise. */
export async function loadRemovedPark(
  queryClient: QueryClient,
  parkId: number,
  error: unknown,
): Promise<void> {
  const park = queryClient.getQueryData(parkQueryOptions(parkId).queryKey);
  if (!isGone(park, error) || !(await queryClient.fetchQuery(removedParkQueryOptions(parkId))))
    throw error;
}

/** Requests the reason only for a missing park, to save a request on other park pages. Null if the park never existed. */
export function useRemovedPark(parkId: number): RemovedPark | null {
  const { data: park, error } = usePark(parkId);
  const gone = isGone(park, error);
  const { data: removed } = useQuery({ ...removedParkQueryOptions(parkId), enabled: gone });
  // Until the park is loaded, use the reason for its removal if the loader has cached it.
  return (gone || !park ? removed : null) ?? null;
}
