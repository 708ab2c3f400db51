// The lost dogs that the user may see, for all places, so that the user's location is never sent.
import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { fetchPublicRpc } from '#/data/public-requests.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';

export interface LostCard {
  id: string;
  name: string;
  /** Path of the photo in the lost-dogs bucket. */
  photo: string | null;
  /** `lat` and `long` are rounded. */
  lat: number;
  long: number;
  lost_at: string;
  until: string;
  mine: boolean;
}

export const lostDogsQueryOptions = (isVisitor: boolean) =>
  queryOptions({
    queryKey: userKeys.lostDogs,
    queryFn: async () =>
      isVisitor
        ? ((await fetchPublicRpc('lost_dogs', {})) as LostCard[])
        : await requestJson<LostCard[]>((client) => client.rpc('lost_dogs')),
    staleTime: STALE.minute,
    refetchInterval: 5 * STALE.minute,
  });

/** The answer to the message that this browser sent with the secret; null once the search has ended. */
export const tagAnswerQueryOptions = (code: string, secret: string | null) =>
  queryOptions({
    queryKey: ['tag', code, 'answer', secret],
    enabled: secret !== null,
    queryFn: () =>
      requestJson<{ answer: string | null } | null>((client) =>
        client.rpc('tag_answer', { p_code: code, p_secret: secret ?? '' }),
      ),
    staleTime: 0,
    refetchInterval: STALE.minute / 2,
  });

/** The card of a tag's dog; null if the dog is not lost or the tag does not exist. */
export const tagCardQueryOptions = (code: string) =>
  queryOptions({
    queryKey: ['tag', code],
    queryFn: () =>
      requestJson<Pick<LostCard, 'name' | 'photo'> | null>((client) =>
        client.rpc('tag_card', { p_code: code }),
      ),
    staleTime: STALE.minute,
  });
