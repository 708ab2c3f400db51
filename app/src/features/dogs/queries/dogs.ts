// Queries for lists of dogs: those of one user, and other users' dogs that the user keeps or walks.
import { queryOptions } from '@tanstack/react-query';
import type { Dog } from '#/features/dogs/dog.ts';
import type { DogRole } from '../../../../../shared/enums.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { request, requestJson } from '#/data/request.ts';

export const DOG_COLUMNS =
  'id,owner,name,breed,gender,birthday,birthday_by_month,size,temperament,energy,possessive,likes,dislikes,description,photo';

/** Dogs of a user, in the order in which they were added. @throws {AppError} */
export const dogsOfOwnerQueryOptions = (ownerId: string) =>
  queryOptions({
    queryKey: userKeys.dogs(ownerId),
    queryFn: (): Promise<Dog[]> =>
      request((client) =>
        client
          .from('dogs')
          .select(DOG_COLUMNS)
          .eq('owner', ownerId)
          .is('deleted_at', null)
          .order('created_at'),
      ),
  });

const stillKept = <Kept extends { ends_at: string | null }>(dogs: Kept[]) =>
  dogs.filter(({ ends_at }) => ends_at === null || Date.parse(ends_at) > Date.now());

export const keptDogsQueryOptions = () =>
  queryOptions({
    queryKey: userKeys.keptDogs,
    queryFn: () =>
      requestJson<(Dog & { role: DogRole; ends_at: string | null })[]>((client) =>
        client.rpc('kept_dogs'),
      ),
    // The user's role as a walker may end while the list is cached, so filter out dogs whose `ends_at` has passed.
    select: stillKept,
  });
