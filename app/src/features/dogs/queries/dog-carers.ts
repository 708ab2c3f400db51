import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { STALE } from '#/data/stale.ts';
import { requestJson } from '#/data/request.ts';
import type { DogRole } from '../../../../../shared/enums.ts';

interface Carer {
  id: string;
  name: string;
  picture: string | null;
}

export interface DogCarers {
  /** The user's role; null for the owner. */
  role: DogRole | null;
  owner: Carer;
  carers: (Carer & { role: DogRole; ends_at: string | null; takes_over: boolean })[];
  /** The owner's invite links. `requested_by` is the name of the user who opened the link. */
  invites: { id: string; role: DogRole; requested_by: string | null; picture: string | null }[];
}

interface DogOffer {
  dog: string;
  owner: string;
  role: DogRole;
  ends_at: string | null;
  /** True if the user has asked the owner to confirm. */
  requested: boolean;
}

/** The dog's carers; null for users who neither own nor care for the dog. */
export const dogCarersQueryOptions = (dogId: string) =>
  queryOptions({
    queryKey: userKeys.dogCarers(dogId),
    queryFn: () =>
      requestJson<DogCarers | null>((client) => client.rpc('dog_carers', { p_dog_id: dogId })),
    // Poll while there are open links, so that the owner sees when a guest opens the link.
    refetchInterval: ({ state }) => (state.data?.invites.length ? STALE.live : false),
  });

/** Fetches what an invite link offers; null if the link is invalid or used. @throws {AppError} */
export const openDogInvite = (secret: string, ask = false): Promise<DogOffer | null> =>
  requestJson((client) => client.rpc('dog_invite', { p_secret: secret, p_request: ask }));
