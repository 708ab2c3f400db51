// The card of one of my dogs while it is lost, with where it was seen; and the address on its tag.
import { queryOptions } from '@tanstack/react-query';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request, requestJson } from '#/data/request.ts';

export interface Sighting {
  id: string;
  at: string;
  lat: number | null;
  long: number | null;
  note: string | null;
  /** Path in bucket sightings. */
  photo: string | null;
}

interface LostDog {
  id: string;
  until: string;
  lost: boolean;
  /** To others. */
  shown: boolean;
  /** A moderator took it down. */
  hidden: boolean;
  sightings: Sighting[];
}

export const lostDogQueryOptions = (dogId: string) =>
  queryOptions({
    queryKey: peopleKeys.lostDog(dogId),
    queryFn: () =>
      requestJson<LostDog | null>((client) => client.rpc('my_lost_dog', { p_dog_id: dogId })),
    // What somebody saw a moment ago counts.
    staleTime: 0,
    refetchInterval: STALE.minute,
  });

/** A signed address: the file is for the dog's people alone. */
export const sightingPhotoQueryOptions = (path: string) =>
  queryOptions({
    queryKey: ['sighting-photo', path],
    queryFn: () =>
      request((client) => client.storage.from('sightings').createSignedUrl(path, 3600)).then(
        ({ signedUrl }) => signedUrl,
      ),
    staleTime: STALE.hour / 2,
  });
