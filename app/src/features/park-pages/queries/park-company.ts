// The query for the published traits of the dogs at a park.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';
import type { DOG_ENERGIES, DOG_SIZES } from '../../../../../shared/enums.ts';

export interface ParkCompany {
  size?: (typeof DOG_SIZES)[number] | 'MIXED';
  energy?: (typeof DOG_ENERGIES)[number] | 'MIXED';
  /** Dogs of less than a year. */
  puppies?: 'SOME' | 'MOST';
}

/** With fewer dogs the host always returns null, so nothing is requested. */
const MIN_DOGS = 9;

/** Null if there are so few dogs that the response would describe those of one user. */
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

/** @param dogs number of dogs there now, if known */
export const useParkCompany = (parkId: number, dogs = MIN_DOGS) =>
  useQuery({ ...parkCompanyQueryOptions(parkId), enabled: dogs >= MIN_DOGS }).data;
