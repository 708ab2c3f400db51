import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { DOG_COLUMNS } from '#/features/dogs/queries/dogs.ts';
import type { Dog } from '#/features/dogs/dog.ts';
import { AppError } from '#/core/app-error.ts';
import { hasNoResponse } from '#/i18n/errors.ts';
import { loadOrOffline } from '#/data/load-or-offline.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { request } from '#/data/request.ts';

/** @throws {AppError} with status 404 if the dog does not exist or is not visible to the user */
async function fetchDog(dogId: string): Promise<Dog> {
  const dog = await request((client) =>
    client.from('dogs').select(DOG_COLUMNS).eq('id', dogId).is('deleted_at', null).maybeSingle(),
  );
  if (!dog) throw new AppError('dogs.page.notFound', 404);
  return dog;
}

export const dogQueryOptions = (dogId: string) =>
  queryOptions({ queryKey: userKeys.dog(dogId), queryFn: () => fetchDog(dogId) });

/**
 * Loads a dog for the loader of its page. While offline, a dog in its owner's cached list is used. @throws {AppError} 503 if
 * offline and the dog is not cached; otherwise the query's errors
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
    const dogs = queryClient.getQueryData<Dog[]>(userKeys.dogs(ownerId));
    const known = dogs?.find(({ id }) => id === dogId);
    if (!hasNoResponse(error) || !known) throw error;
    // Mark the data as stale, so that it is refetched as soon as possible.
    queryClient.setQueryData(options.queryKey, known, { updatedAt: 0 });
  }
}
