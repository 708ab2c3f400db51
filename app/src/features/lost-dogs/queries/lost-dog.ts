// Queries for the card of one of the user's dogs while it is lost, its sightings, and the URL on its tag.
import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request, requestJson } from '#/data/request.ts';

export interface Sighting {
  id: string;
  at: string;
  lat: number | null;
  long: number | null;
  note: string | null;
  /** Path of the photo in the sightings bucket. */
  photo: string | null;
  /** The finder's phone number, until the search ends. */
  phone: string | null;
  answer: string | null;
  answerable: boolean;
}

interface LostDog {
  id: string;
  until: string;
  lost: boolean;
  /** True if other users see the card. */
  shown: boolean;
  /** True if a moderator has hidden the card. */
  hidden: boolean;
  sightings: Sighting[];
}

export const lostDogQueryOptions = (dogId: string) =>
  queryOptions({
    queryKey: userKeys.lostDog(dogId),
    queryFn: () =>
      requestJson<LostDog | null>((client) => client.rpc('my_lost_dog', { p_dog_id: dogId })),
    // Always refetch, because the owner needs new sightings immediately.
    staleTime: 0,
    refetchInterval: STALE.minute,
  });

/** The photo's signed URL, because only the dog's owners may see the file. */
export const sightingPhotoQueryOptions = (path: string) =>
  queryOptions({
    queryKey: ['sighting-photo', path],
    queryFn: () =>
      request((client) => client.storage.from('sightings').createSignedUrl(path, 3600)).then(
        ({ signedUrl }) => signedUrl,
      ),
    staleTime: STALE.hour / 2,
  });
