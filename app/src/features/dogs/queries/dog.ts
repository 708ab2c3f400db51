// One dog.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { DOG_COLUMNS } from '#/features/dogs/queries/dogs.ts';
import type { Dog } from '#/features/dogs/dog.ts';
import { AppError } from '#/core/app-error.ts';
import { hasNoResponse } from '#/i18n/errors.ts';
import { loadOrOffline } from '#/data/load-or-offline.ts';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { request } from '#/data/request.ts';

/** @throws {AppError} with status 404 where there is no such dog, or none that the caller may see */
async function fetchDog(dogId: string): Promise<Dog> {
  const dog = await request((client) =>
    client.from('dogs').select(DOG_COLUMNS).eq('id', dogId).is('deleted_at', null).maybeSingle(),
  );
  if (!dog) throw new AppError('dogs.page.notFound', 404);
  return dog;
}

export const dogQueryOptions = (dogId: string) =>
  queryOptions({ queryKey: peopleKeys.dog(dogId), queryFn: () => fetchDog(dogId) });

/**
 * For the loader of a dog's page: without an answer, a dog that its owner's list knows is there, too.
 * @throws {AppError} 503 where nothing answers and the dog is not known here; otherwise what the query throws
 */
export async function loadDog(
  queryClient: QueryClient,
  ownerId: string,
  dogId: string,
): Promise<void> {
  const options = dogQueryOptions(dogId);
  try {
    await loadOrOffline(queryClient, options);
  } catch (error) {
    const dogs = queryClient.getQueryData<Dog[]>(peopleKeys.dogs(ownerId));
    const known = dogs?.find(({ id }) => id === dogId);
    if (!hasNoResponse(error) || !known) throw error;
    // Never fresh: it is asked for again at every chance.
    queryClient.setQueryData(options.queryKey, known, { updatedAt: 0 });
  }
}
