// One dog.
import { queryOptions } from '@tanstack/react-query';
import { DOG_COLUMNS } from '#/features/dogs/api/dogs-of-owner.ts';
import type { Dog } from '#/features/dogs/dog.ts';
import { AppError, unwrap } from '#/lib/errors.ts';
import { peopleKeys } from '#/lib/people-keys.ts';
import { supabase } from '#/lib/supabase.ts';

/** @throws {AppError} with status 404 where there is no such dog, or none that the caller may see */
export async function fetchDog(dogId: string): Promise<Dog> {
  const client = await supabase();
  const dog = unwrap(
    await client
      .from('dogs')
      .select(DOG_COLUMNS)
      .eq('id', dogId)
      .is('deleted_at', null)
      .maybeSingle(),
  );
  if (!dog) throw new AppError('dogs.page.notFound', 404);
  return dog;
}

export const dogQueryOptions = (dogId: string) =>
  queryOptions({ queryKey: peopleKeys.dog(dogId), queryFn: () => fetchDog(dogId) });
