// How big and how lively the dogs at a park are now.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';
import type { DOG_ENERGIES, DOG_SIZES } from '../../../../../shared/enums.ts';

export interface ParkCompany {
  size?: (typeof DOG_SIZES)[number] | 'MIXED';
  energy?: (typeof DOG_ENERGIES)[number] | 'MIXED';
}

/** Of fewer dogs the host never tells what they are like: there is no need to ask. */
const DOGS_TO_TELL_OF = 9;

/** Null while too few are there to tell without describing one person's dogs. */
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

/** @param dogs there now, where that is known */
export const useParkCompany = (parkId: number, dogs = DOGS_TO_TELL_OF) =>
  useQuery({ ...parkCompanyQueryOptions(parkId), enabled: dogs >= DOGS_TO_TELL_OF }).data;
