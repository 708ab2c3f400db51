// The weekly meetings at a park that the user may see.
import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';

export interface PackTime {
  id: string;
  /** Start of the next meeting, ISO 8601. */
  meet_at: string;
  /** The usual number of dogs; null if too few guests came to estimate it. */
  dogs: number | null;
  joined: boolean;
  skips: boolean;
  isQueued?: boolean;
  friends: { id: string; name: string; picture: string | null; made_it: boolean }[];
}

export const packTimesQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: userKeys.packTimes(parkId),
    queryFn: () =>
      requestJson<PackTime[]>((client) => client.rpc('park_pack_times', { p_park_id: parkId })),
    staleTime: STALE.minute,
  });
