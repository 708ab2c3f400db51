// The query for the published traits of the dogs at a park.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';
import type { DOG_ENERGIES, DOG_SIZES } from '../../../../../shared/enums.ts';

export interface ParkCompany {
  size?: (typeof DOG_SIZES)[number] | 'MIXED';
  energy?: (typeof DOG_ENERGIES)[number] | 'MIXED';
  /** Set if some or most dogs are less than a year old. */
  puppies?: 'SOME' | 'MOST';
}

/** If fewer dogs are there, the host always returns null, so do not request the traits. */
const MIN_DOGS = 9;

/** The traits of the dogs; null if there are so few that they would describe the dogs of one user. */
const parkCompanyQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: parkKeys.company(parkId),
    queryFn: () =>
      requestJson<ParkCompany | null>((client) =>
        client.rpc('park_company', { p_park_id: parkId }),
      ),
    meta: { sameForAll: true },
    staleTime: STALE.live,
    refetchInterval: STALE.live,
  });

/** @param dogs current number of dogs, if known */
export const useParkCompany = (parkId: number, dogs = MIN_DOGS) =>
  useQuery({ ...parkCompanyQueryOptions(parkId), enabled: dogs >= MIN_DOGS }).data;
