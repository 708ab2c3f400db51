// The cards of lost dogs that the caller may read, of all places: nobody's own place is asked for.
import { queryOptions } from '@tanstack/react-query';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { fetchPublicRpc } from '#/data/public-rpc.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';

export interface LostCard {
  id: string;
  name: string;
  /** Path in bucket lost-dogs. */
  photo: string | null;
  /** Coarse, like `long`. */
  lat: number;
  long: number;
  lost_at: string;
  until: string;
  mine: boolean;
}

export const lostDogsQueryOptions = (isVisitor: boolean) =>
  queryOptions({
    queryKey: peopleKeys.lostDogs,
    queryFn: async () =>
      isVisitor
        ? ((await fetchPublicRpc('lost_dogs', {})) as LostCard[])
        : await requestJson<LostCard[]>((client) => client.rpc('lost_dogs')),
    staleTime: STALE.minute,
    refetchInterval: 5 * STALE.minute,
  });

/** What a tag says to who scanned it: null while its dog is at home, and where there is no such tag. */
export const tagCardQueryOptions = (code: string) =>
  queryOptions({
    queryKey: ['tag', code],
    queryFn: () =>
      requestJson<Pick<LostCard, 'name' | 'photo'> | null>((client) =>
        client.rpc('tag_card', { p_code: code }),
      ),
    staleTime: STALE.minute,
  });
