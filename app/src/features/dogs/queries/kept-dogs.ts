// The dogs of others that I keep or walk.
import { queryOptions } from '@tanstack/react-query';
import type { Dog } from '#/features/dogs/dog.ts';
import type { DogRole } from '#/features/dogs/queries/dog-people.ts';
import { unwrapJson } from '#/i18n/errors.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { supabase } from '#/data/supabase.ts';

export const keptDogsQueryOptions = () =>
  queryOptions({
    queryKey: peopleKeys.keptDogs,
    queryFn: async () =>
      unwrapJson<(Dog & { role: DogRole })[]>(await (await supabase()).rpc('kept_dogs')),
  });
