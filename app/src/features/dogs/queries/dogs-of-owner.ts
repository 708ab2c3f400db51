// The dogs of one person, as the caller may see them.
import { queryOptions } from '@tanstack/react-query';
import type { Dog } from '#/features/dogs/dog.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { ask } from '#/data/ask.ts';

export const DOG_COLUMNS =
  'id,owner,name,breed,gender,birthday,birthday_by_month,size,temperament,energy,possessive,likes,dislikes,description,photo';

/** Oldest entry first. @throws {AppError} */
export const dogsOfOwnerQueryOptions = (ownerId: string) =>
  queryOptions({
    queryKey: peopleKeys.dogs(ownerId),
    queryFn: (): Promise<Dog[]> =>
      ask((client) =>
        client
          .from('dogs')
          .select(DOG_COLUMNS)
          .eq('owner', ownerId)
          .is('deleted_at', null)
          .order('created_at'),
      ),
  });
