// What became of a park that is no longer there: merged with another, closed for good, or no dog park.
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
  /** The park that has everything of it now, where it was a duplicate. */
  merged_into: number | null;
  /** What it was, where it closed, its names by language; of what was none nothing is told. */
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

/** Whether a park is not listed; its submitter, and a device that cached it, still have its row. */
const isGone = (park: Park | undefined, error: unknown) =>
  park?.status === 'rejected' || (error instanceof AppError && error.status === 404);

/** For a loader, of a park that could not be loaded: it goes on where the park was one. Throws the error that was given, of any other. */
export async function loadRemovedPark(
  queryClient: QueryClient,
  parkId: number,
  error: unknown,
): Promise<void> {
  const park = queryClient.getQueryData(parkQueryOptions(parkId).queryKey);
  if (!isGone(park, error) || !(await queryClient.fetchQuery(removedParkQueryOptions(parkId))))
    throw error;
}

/** Asked only where the park is gone, so that a page of a park that is there costs nothing more. Null: it was none. */
export function useRemovedPark(parkId: number): RemovedPark | null {
  const { data: park, error } = usePark(parkId);
  const gone = isGone(park, error);
  const { data: removed } = useQuery({ ...removedParkQueryOptions(parkId), enabled: gone });
  // The loader knows before the park is asked for again.
  return (gone || !park ? removed : null) ?? null;
}
