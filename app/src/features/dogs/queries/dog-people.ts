// Who the people of a dog are, and what a link to become one offers.
import { queryOptions } from '@tanstack/react-query';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';
import type { DogRole } from '../../../../../shared/enums.ts';

interface Person {
  id: string;
  name: string;
  picture: string | null;
}

export interface DogPeople {
  /** Mine; null of the owner. */
  role: DogRole | null;
  owner: Person;
  people: (Person & { role: DogRole; ends_at: string | null; takes_over: boolean })[];
  /** The owner's links; one that somebody opened has their name. */
  invites: { id: string; role: DogRole; requested_by: string | null; picture: string | null }[];
}

interface DogOffer {
  dog: string;
  owner: string;
  role: DogRole;
  ends_at: string | null;
  /** I have asked the owner to confirm. */
  requested: boolean;
}

/** Null for who is none of them. */
export const dogPeopleQueryOptions = (dogId: string) =>
  queryOptions({
    queryKey: peopleKeys.dogPeople(dogId),
    queryFn: () =>
      requestJson<DogPeople | null>((client) => client.rpc('dog_people', { p_dog_id: dogId })),
    // Who opens a link shows while its code is on the screen.
    refetchInterval: ({ state }) => (state.data?.invites.length ? STALE.live : false),
  });

/** Null of a link that offers me nothing (any more). @throws {AppError} */
export const openDogInvite = (secret: string, ask = false): Promise<DogOffer | null> =>
  requestJson((client) => client.rpc('dog_invite', { p_secret: secret, p_request: ask }));
